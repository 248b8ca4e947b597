/** The text of `oui --help`. */
export const USAGE = `oui: let agents see and use the web pages you have open

  oui hub                     start a hub: pages and agents meet there
    --serve DIR[:/prefix]     also serve a folder (again for more)
    --allow-origin ORIGIN     let pages of this origin in, such as https://app.example (again for more)
    --allow-opaque-origin     let sandboxed frames and file: pages in, which have no origin; they need the token
    --allow-host NAME         accept requests to this host name (again for more)
    --token TOKEN             let only pages in that have this token (or OUI_HUB_TOKEN)
  oui mcp                     an MCP server on stdio; joins the running hub, or is one (takes the hub's options too)
  oui ls [--json]             list pages, tools and observations
  oui call TOOL [ARGS]        call a tool; ARGS is a JSON object, or key=value for each argument
    --page ID                 on this page, where several have the tool
    --attach PROPERTY=FILE    hand a file in, for a property that takes an attachment (again for more;
                              FILE;type=image/png where its name does not tell what it is)
    --timeout SECONDS         give up after so long (300)
    --json                    print the result as JSON
  oui read SURFACE OBSERVATION [--json]
                              print a value that a page reports, or a part of it
    --path POINTER            what is there, such as /rows/0
    --offset N --limit N      of a list or a text: from where, and how much
    --page ID                 on this page, where several have the surface
  oui describe SURFACE [ACTION] [--page ID] [--json]
                              print the definitions of a surface's actions, or of one
  oui validate FILE [--json]  check a surface's manifest, or a list of them; - reads standard input

  --port N                    the hub's port (7410, or OUI_HUB_PORT)
  --host ADDRESS              the hub's address (127.0.0.1, or OUI_HUB_HOST)
  --help, --version

Exit codes: 0 done; 1 the action failed, or a manifest is none; 2 the command line was wrong; 3 no hub is running.`;
