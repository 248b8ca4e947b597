/**
 * The pages of the documentation, in the order in which they are read. The text of each is `pages/<name>.html`.
 *
 * @typedef {{ name: string, title: string, summary: string, wide?: boolean }} DocsPage `wide`: it has a wide table
 * @type {readonly DocsPage[]}
 */
export const PAGES = [
  { name: 'index', title: 'Overview', summary: 'What it is, and the few words that you need.' },
  { name: 'start', title: 'Getting started', summary: 'A script tag, npm, TypeScript, or your framework.' },
  { name: 'elements', title: 'Elements', summary: 'Every element, with all that it takes.' },
  { name: 'surfaces', title: 'Writing good surfaces', summary: 'What agents understand, and where no secrets belong.' },
  { name: 'safety', title: 'Safety and CSP', summary: 'What is safe by default, and strict policies.' },
  { name: 'approvals', title: 'Approvals', summary: 'Asking the user before it is too late.' },
  { name: 'attachments', title: 'Attachments', summary: 'Files as parameters.' },
  { name: 'testing', title: 'Testing', summary: 'An agent for the tests of your page.' },
  { name: 'agents', title: 'Agents', summary: 'The hub, MCP, the command line, your own agent.' },
  { name: 'limits', title: 'Limits and codes', summary: 'Every number, every error code, every warning.' },
  { name: 'migration', title: 'Moving from oui-spec', summary: 'Name by name, and step by step.' },
  { name: 'comparison', title: 'Comparison', summary: 'WebMCP, MCP-B, CopilotKit: what suits where.', wide: true },
];
