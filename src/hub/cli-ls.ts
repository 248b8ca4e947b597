import { ADDRESS_OPTIONS, readAddress, readCommandLine, usageError } from './cli-arguments.js';
import { withHub } from './cli-client.js';
import type { CommandIo } from './cli-io.js';
import { EXIT } from './cli-output.js';
import { hubUrl } from './hub-address.js';
import { printable } from './hub-log.js';
import { PAGES_URI } from './observation-resources.js';
import type { PageDescription } from './page-description.js';

interface Tool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly [key: string]: unknown };
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

interface Listing {
  readonly pages: readonly PageDescription[];
  readonly tools: readonly Tool[];
  readonly resources: readonly { readonly uri: string; readonly name: string }[];
}

/** `oui ls`: which pages are connected, and what each offers. */
export async function runLs(args: readonly string[], io: CommandIo): Promise<number> {
  const line = readCommandLine('ls', args, { ...ADDRESS_OPTIONS, json: { type: 'boolean' } });
  if (line.positionals.length > 0) throw usageError('ls', `it takes no ${JSON.stringify(line.positionals[0])}`);
  const address = readAddress('ls', line, io.env);
  const listing = await withHub(address, async (client): Promise<Listing> => {
    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: PAGES_URI });
    const first = contents[0];
    const pages = first !== undefined && 'text' in first ? (JSON.parse(first.text) as PageDescription[]) : [];
    return { pages, tools, resources: resources.filter(({ uri }) => uri !== PAGES_URI) };
  });
  if (line.values['json'] === true) io.output.print(JSON.stringify(listing, null, 2));
  else for (const text of describe(listing, hubUrl(address.port, address.host))) io.output.print(text);
  return EXIT.ok;
}

function describe({ pages, tools, resources }: Listing, url: string): string[] {
  if (pages.length === 0) return [`The hub at ${url} runs; no page is connected. Open one that connects to it.`];
  return pages.flatMap((page) => [
    `${page.id}  ${printable(page.title ?? 'a page without a title')}  ${printable(page.url ?? '')}`.trimEnd() +
      (page.mayBeFrozen ? '  (may be frozen)' : ''),
    ...page.surfaces.flatMap((surface) => [
      `  ${surface.id}  ${printable(surface.name)}`,
      ...tools.filter((tool) => isOf(tool, page.id, surface.id)).map(describeTool),
      ...resources
        .filter(({ uri }) => uri.startsWith(`oui://${page.id}/${encodeURIComponent(surface.id)}/`))
        .map(({ uri }) => `    reads  ${uri}`),
    ]),
  ]);
}

function isOf({ _meta }: Tool, pageId: string, surfaceId: string): boolean {
  const pages = _meta?.['oui/pages'];
  return _meta?.['oui/surface'] === surfaceId && Array.isArray(pages) && pages.includes(pageId);
}

function describeTool({ name, title, description, inputSchema }: Tool): string {
  const { properties, required } = inputSchema as { properties?: object; required?: unknown };
  const needed = Array.isArray(required) ? required : [];
  const names = Object.keys(properties ?? {}).map((key) => (needed.includes(key) ? key : `${key}?`));
  const sorted = [...names.filter((key) => !key.endsWith('?')), ...names.filter((key) => key.endsWith('?'))];
  const words = title ?? (description ?? '').split('\n', 1)[0] ?? '';
  return `    tool   ${name}(${sorted.map(printable).join(', ')})  ${printable(words)}`;
}
