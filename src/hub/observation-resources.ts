import { AgentReadError } from '../agent/agent-read-error.js';
import type { AgentObservation } from '../agent/agent-types.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { describePage, pageLabel } from './page-description.js';

/** The resource that lists the connected pages. Ids of pages never read `hub`. */
export const PAGES_URI = 'oui://hub/pages';

/** An observation as an MCP resource. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType: string;
}

export interface ObservationResources {
  list(): readonly ListedResource[];
  /**
   * The present value as JSON text; undefined when there is no such resource.
   * @throws {Error} rejects when the page does not give the value.
   */
  read(uri: string): Promise<string | undefined>;
}

/** The address of an observation: `oui://<page>/<surface>/<observation>`. The same over a reload of the page. */
export function observationUri(pageId: string, surfaceId: string, observationId: string): string {
  return `oui://${pageId}/${encodeURIComponent(surfaceId)}/${encodeURIComponent(observationId)}`;
}

/** The observations of the connected pages as resources, and one that lists the pages. */
export function createObservationResources(directory: PageDirectory): ObservationResources {
  const find = (uri: string): { page: HubPage; observation: AgentObservation } | undefined => {
    for (const page of directory.pages()) {
      if (!uri.startsWith(`oui://${page.id}/`)) continue;
      const observation = page
        .observations()
        .find(({ surfaceId, observationId }) => observationUri(page.id, surfaceId, observationId) === uri);
      if (observation !== undefined) return { page, observation };
    }
    return undefined;
  };

  /** A page that has just gone may come back and have it. */
  const readWhenBack = async (uri: string): Promise<string | undefined> => {
    const page = directory.known().find(({ id }) => uri.startsWith(`oui://${id}/`));
    const ids = page && idsOf(uri.slice(`oui://${page.id}/`.length));
    if (ids === undefined) return undefined;
    try {
      return JSON.stringify((await page?.read(...ids)) ?? null);
    } catch (error) {
      if (error instanceof AgentReadError && GONE.has(error.code)) return undefined;
      throw error;
    }
  };

  return {
    list() {
      const resources: ListedResource[] = [PAGES_RESOURCE];
      for (const page of directory.pages()) {
        for (const observation of page.observations()) resources.push(toResource(page, observation));
      }
      return resources;
    },

    async read(uri) {
      if (uri === PAGES_URI) return JSON.stringify(directory.pages().map(describePage));
      const found = find(uri);
      if (found === undefined) return readWhenBack(uri);
      const { page, observation } = found;
      const { surfaceId, observationId, updateFrequency, cuts } = observation;
      const held = updateFrequency !== 'polling' && cuts === undefined;
      const value = held ? observation.value : await page.read(surfaceId, observationId);
      return JSON.stringify(value ?? null);
    },
  };
}

const GONE: ReadonlySet<string> = new Set([ERROR_CODES.SURFACE_UNAVAILABLE, ERROR_CODES.NOT_FOUND]);

/** The ids in an address of ours, after the page's; undefined in any other. */
function idsOf(path: string): [surfaceId: string, observationId: string] | undefined {
  const [surface, observation, ...rest] = path.split('/');
  if (!surface || !observation || rest.length > 0) return undefined;
  try {
    return [decodeURIComponent(surface), decodeURIComponent(observation)];
  } catch {
    return undefined;
  }
}

const PAGES_RESOURCE: ListedResource = {
  uri: PAGES_URI,
  name: 'pages',
  title: 'Connected pages',
  description: 'The pages that are connected now: id, title, address and surfaces of each.',
  mimeType: 'application/json',
};

function toResource(page: HubPage, observation: AgentObservation): ListedResource {
  const { surfaceId, observationId, description, updateFrequency } = observation;
  const how = updateFrequency === 'polling' ? ' Read afresh each time; it sends no updates.' : '';
  return {
    uri: observationUri(page.id, surfaceId, observationId),
    name: `${surfaceId}/${observationId}`,
    description: `${description ?? 'A value that the page reports.'}${how} On ${pageLabel(page)}.`,
    mimeType: 'application/json',
  };
}
