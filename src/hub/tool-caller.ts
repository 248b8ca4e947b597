import type { AgentCallResult } from '../agent/agent-types.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { OUIActionResult, OUIError } from '../protocol/events.js';
import type { JsonObject } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { canonicalJson } from '../rules/canonical-json.js';
import { clipText } from '../rules/clip-text.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { createPendingCalls } from './pending-calls.js';
import type { PendingCall } from './pending-calls.js';
import { pageLabel } from './tool-catalog.js';
import type { ToolCatalog, ToolRoute } from './tool-catalog.js';
import { PAGE_ARGUMENT, hasOwnPageArgument, toParams } from './tool-schema.js';

/** What a tool call came to, as it goes to the model (PROTOCOL.md §10, "As an MCP tool call"). */
export interface ToolOutcome {
  readonly data?: unknown;
  readonly error?: OUIError;
  /** Whether the page had come to rest. */
  readonly settled: boolean;
  /** The observations that changed by the call, by surface and observation. */
  readonly observations: { readonly [surfaceId: string]: { readonly [observationId: string]: unknown } };
  /** What the page left out of a result that was too large. */
  readonly delivery?: NonNullable<OUIActionResult['delivery']>;
  /** The page that answered, where several are connected. */
  readonly page?: string;
  /** It still runs, or waits for its user; `next` says how to follow up. */
  readonly pending?: true;
  readonly next?: string;
}

export interface ToolCallOptions {
  /** Whose call it is: only the same caller takes up a call that was left. Without it nobody does. */
  readonly caller?: string | undefined;
  /** Cancels the call. */
  readonly signal: AbortSignal;
  /** Acknowledgment, approval and progress, in words. */
  readonly onProgress?: (message: string) => void;
}

export interface ToolCaller {
  /** Calls a tool on the page that the arguments name, else on the newest one. Always resolves. */
  call(name: string, args: JsonObject, options: ToolCallOptions): Promise<ToolOutcome>;
  close(): void;
}

const FOLLOW_UP =
  'Call this tool again with the same arguments to wait for its outcome; that does not start it a second time.';

const NO_FOLLOW_UP =
  'It goes on by itself. Do not call this tool again for it, that would start it a second time: read the resources of ' +
  'its page to see what it came to.';

const UNANSWERED = 'Ask the user to answer in the page, then call this tool again.';

/** @param patienceMs after so long a call is answered with what is known; MCP clients give up at 60 s. */
export function createToolCaller(
  directory: PageDirectory,
  catalog: ToolCatalog,
  patienceMs: number = LIMITS.mcpCallMs,
): ToolCaller {
  const left = createPendingCalls();

  /** Starts a call. What happens on the way reaches whoever waits at that time. */
  const start = (page: HubPage, target: string | ToolRoute['tool'], params: unknown): PendingCall => {
    const controller = new AbortController();
    const call: PendingCall = {
      outcome: page.call(typeof target === 'string' ? target : { ...target }, params, {
        signal: controller.signal,
        onAcknowledged(acknowledgment) {
          call.acknowledgment = acknowledgment;
          call.report(`Accepted; it is running now.${suffix(acknowledgment.data)}`);
        },
        onApproval(notice) {
          call.approval = notice;
          call.report(APPROVAL_WORDS[notice.state]);
        },
        onProgress: (value) => call.report(`Running.${suffix(value)}`),
      }),
      report: () => undefined,
      cancel: () => controller.abort(),
    };
    return call;
  };

  return {
    async call(name, args, options) {
      const choice = choosePage(directory, catalog.routes(name), args);
      if ('error' in choice) return { error: choice.error, settled: true, observations: {} };
      const { page, route, rest } = choice;
      const params = toParams(route?.tool.inputSchema, rest);
      const { caller } = options;
      const key = caller === undefined ? undefined : JSON.stringify([caller, page.id, name, keyText(params)]);
      const taken = key === undefined ? undefined : left.take(key);
      const call = taken ?? start(page, route?.tool ?? name, params);
      if (options.onProgress !== undefined) call.report = options.onProgress;
      try {
        const ended = await waitFor(call, options.signal, patienceMs);
        const followUp = key === undefined ? NO_FOLLOW_UP : FOLLOW_UP;
        const answer = ended === undefined ? unfinished(call, followUp) : finished(ended);
        if (ended === undefined && key !== undefined) left.leave(key, call);
        return directory.pages().length > 1 ? { ...answer, page: page.id } : answer;
      } finally {
        call.report = () => undefined;
      }
    },
    close: () => left.clear(),
  };
}

const APPROVAL_WORDS = {
  pending: 'The page is asking its user for approval.',
  granted: 'The user has approved.',
  denied: 'The user has declined.',
  expired: 'The user gave no answer.',
} as const;

type PageChoice =
  | { readonly page: HubPage; readonly route: ToolRoute | undefined; readonly rest: JsonObject }
  | { readonly error: OUIError };

function choosePage(directory: PageDirectory, routes: readonly ToolRoute[], args: JsonObject): PageChoice {
  const pages = directory.pages();
  const newest = routes[routes.length - 1];
  const asked = args[PAGE_ARGUMENT];
  const ownArgument = newest !== undefined && hasOwnPageArgument(newest.tool.inputSchema);
  if (asked === undefined || ownArgument) {
    // A tool that no page has any more still goes to a page: its answer names what there is instead.
    const page = newest?.page ?? pages[pages.length - 1];
    if (page === undefined) return { error: noPage() };
    return { page, route: newest, rest: args };
  }
  const { [PAGE_ARGUMENT]: _, ...rest } = args;
  const page = pages.find(({ id }) => id === asked);
  if (page !== undefined) return { page, route: routes.find((route) => route.page.id === page.id), rest };
  if (pages.length === 0) return { error: noPage() };
  const list = pages.map((each) => `${each.id} (${pageLabel(each)})`).join(', ');
  return {
    error: {
      code: ERROR_CODES.SURFACE_UNAVAILABLE,
      message: `No page ${JSON.stringify(asked)} is connected. Leave ${PAGE_ARGUMENT} out, or choose one of: ${list}.`,
    },
  };
}

function noPage(): OUIError {
  return {
    code: ERROR_CODES.SURFACE_UNAVAILABLE,
    message: 'No page is connected. Ask the user to open the page; its tools appear when it connects.',
  };
}

/** The outcome, or undefined when it takes longer than anybody waits. */
async function waitFor(call: PendingCall, signal: AbortSignal, ms: number): Promise<AgentCallResult | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ms);
    });
    return await Promise.race([call.outcome, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function finished({ result, changed, approvalPending }: AgentCallResult): ToolOutcome {
  return {
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(result.error === undefined ? {} : { error: result.error }),
    settled: result.settled ?? true,
    observations: changed,
    ...(result.delivery === undefined ? {} : { delivery: result.delivery }),
    ...(approvalPending === undefined ? {} : { next: UNANSWERED }),
  };
}

function unfinished({ acknowledgment, approval }: PendingCall, followUp: string): ToolOutcome {
  const pending = { settled: false, observations: {}, pending: true } as const;
  if (acknowledgment !== undefined) {
    return {
      ...pending,
      ...(acknowledgment.data === undefined ? {} : { data: acknowledgment.data }),
      next: `It was accepted and is still running. ${followUp}`,
    };
  }
  if (approval?.state === 'pending') {
    const message = `The user has not answered the page's question yet. Tell them that the page asks. ${followUp}`;
    return { ...pending, error: { code: ERROR_CODES.APPROVAL_REQUIRED, message }, next: followUp };
  }
  const message = `The page has not finished; the action waits for its turn or still runs. ${followUp}`;
  return { ...pending, error: { code: ERROR_CODES.TIMEOUT, message }, next: followUp };
}

/** Params that mean the same give the same text, whatever the order of their keys. */
function keyText(params: unknown): string {
  try {
    return canonicalJson(params);
  } catch {
    return JSON.stringify(params) ?? '';
  }
}

/** A value behind a sentence, cut to what fits a line. */
function suffix(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return ` ${clipText(text, 300)}`;
}
