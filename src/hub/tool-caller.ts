import type { AgentCallResult, ConfirmCallback, ConfirmRequest } from '../agent/agent-types.js';
import { NOBODY_TO_ASK } from '../agent/call-errors.js';
import * as ERROR_CODES from '../protocol/error-codes.js';
import type { Fit, OUIError } from '../protocol/events.js';
import type { JsonObject } from '../protocol/json.js';
import * as LIMITS from '../protocol/limits.js';
import { canonicalJson } from '../rules/canonical-json.js';
import { clipText } from '../rules/clip-text.js';
import type { AttachmentStore } from './attachment-store.js';
import type { HubPage, PageDirectory } from './page-directory.js';
import { choosePage, withOtherPages } from './page-choice.js';
import { createPendingCalls } from './pending-calls.js';
import type { ClientQuestion, PendingCall } from './pending-calls.js';
import { resultRest } from './read-on-text.js';
import type { ToolCatalog, ToolRoute } from './tool-catalog.js';
import { PAGE_ARGUMENT, hasOwnPageArgument, toParams } from './tool-schema.js';
import type { ToolOutcome } from './tool-outcome.js';

export interface ToolCallOptions {
  /** Whose call it is: only the same caller takes up a call that was left. Without it nobody does. */
  readonly caller?: string | undefined;
  /** Cancels the call. */
  readonly signal: AbortSignal;
  /** Acknowledgment, approval and progress, in words. */
  readonly onProgress?: (message: string) => void;
  /**
   * How the client's user is asked, where the page leaves that to the agent's side: by a function, or by `later`, which
   * answers the call with the question. Without it nobody can be asked.
   */
  readonly ask?: ConfirmCallback | 'later' | undefined;
  /** The call was answered with a question before; this is what the user said. A question that is gone is asked anew. */
  readonly answered?: { readonly requestId: string; readonly verdict: boolean | null } | undefined;
}

/** The call waits for what its client's user says: it is made again with `answered`. */
export interface ToolQuestion extends Readonly<Partial<Record<keyof ToolOutcome, never>>> {
  readonly question: ConfirmRequest;
}

export interface ToolCaller {
  /** Calls a tool on the page that the arguments name, else on the newest one. Always resolves. */
  call(name: string, args: JsonObject, options: ToolCallOptions): Promise<ToolOutcome | ToolQuestion>;
  close(): void;
}

const FOLLOW_UP =
  'Call this tool again with the same arguments to wait for its outcome; that does not start it a second time.';

const NO_FOLLOW_UP =
  'It goes on by itself. Do not call this tool again for it, that would start it a second time: read the resources of ' +
  'its page to see what it came to.';

const NOBODY =
  'This action runs only after its user has said yes. The page leaves asking to the agent\'s side, and this client has no ' +
  'way to ask: it does not support MCP elicitation. It did not run. Tell the user to do it in the page themselves, or to ' +
  'connect a client that supports elicitation.';

const UNANSWERED = 'Ask the user to answer in the page, then call this tool again.';

/**
 * @param attachments what calls may bring along
 * @param patienceMs after so long a call is answered with what is known; MCP clients give up at 60 s
 */
export function createToolCaller(
  directory: PageDirectory,
  catalog: ToolCatalog,
  attachments?: Pick<AttachmentStore, 'namedIn'>,
  patienceMs: number = LIMITS.mcpCallMs,
): ToolCaller {
  const left = createPendingCalls();
  /** Calls that were answered with a question, by their request's id, and what they were made with. */
  const asked = new Map<string, { readonly call: PendingCall; readonly what: string }>();

  /** Starts a call. What happens on the way reaches whoever waits at that time. */
  const start = (
    page: HubPage,
    target: string | ToolRoute['tool'],
    params: unknown,
    { ask, caller }: Pick<ToolCallOptions, 'ask' | 'caller'>,
  ): PendingCall => {
    const controller = new AbortController();
    const files = attachments?.namedIn(params, caller);
    const call: PendingCall = {
      outcome: page.call(typeof target === 'string' ? target : { ...target }, params, {
        signal: controller.signal,
        ...(ask !== undefined && {
          confirm: (request: ConfirmRequest) => {
            call.report('The user is asked for approval.');
            return new Promise<boolean | null>((resolve, reject) => {
              const question: ClientQuestion = {
                request,
                later: ask === 'later',
                answer(verdict) {
                  delete call.question;
                  resolve(verdict);
                },
              };
              call.question = question;
              if (ask === 'later') call.asking();
              else Promise.resolve(ask(request)).then(question.answer, reject);
            });
          },
        }),
        ...(files && { attachments: files }),
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
      asking: () => undefined,
      cancel: () => controller.abort(),
    };
    return call;
  };

  /** The same result; of a page that is gone for good, with the pages that have the tool too. */
  const withWayOut = (ended: AgentCallResult, page: HubPage, name: string): AgentCallResult => {
    const { error } = ended.result;
    if ((error?.details as { readonly reason?: unknown } | undefined)?.reason === NOBODY_TO_ASK) {
      const details = { ran: false };
      return { ...ended, result: { ...ended.result, error: { ...error!, message: NOBODY, details } } };
    }
    if (error === undefined || page.page.connected) return ended;
    const has = (each: HubPage): boolean =>
      each.tools().some((tool) => tool.name === name && !hasOwnPageArgument(tool.inputSchema));
    return { ...ended, result: { ...ended.result, error: withOtherPages(error, directory, PAGE_ARGUMENT, has) } };
  };

  /** The call that waits for this answer, if it is the same call by the same client. It gets the answer. */
  const takeAsked = (answered: ToolCallOptions['answered'], what: string): PendingCall | undefined => {
    if (answered === undefined) return undefined;
    const waiting = asked.get(answered.requestId);
    if (waiting?.what !== what) return undefined;
    asked.delete(answered.requestId);
    waiting.call.question?.answer(answered.verdict);
    return waiting.call;
  };

  const askLater = (call: PendingCall, what: string): ToolQuestion => {
    const { request } = call.question!;
    asked.set(request.requestId, { call, what });
    void call.outcome.then(() => asked.delete(request.requestId));
    return { question: request };
  };

  return {
    async call(name, args, options) {
      const choice = chooseRoute(directory, catalog.routes(name), args);
      if ('error' in choice) return { error: choice.error, settled: true, observations: {} };
      const { page, route, rest } = choice;
      const params = toParams(route?.tool.inputSchema, rest);
      const { caller, answered } = options;
      const what = JSON.stringify([caller ?? null, page.id, name, keyText(params)]);
      const key = caller === undefined ? undefined : what;
      const taken = takeAsked(answered, what) ?? (key === undefined ? undefined : left.take(key));
      const call = taken ?? start(page, route?.tool ?? name, params, options);
      if (options.onProgress !== undefined) call.report = options.onProgress;
      try {
        const ended = await waitFor(call, options.signal, patienceMs);
        if (ended === 'asking') return askLater(call, what);
        const followUp = key === undefined ? NO_FOLLOW_UP : FOLLOW_UP;
        const several = directory.pages().length > 1 ? page.id : undefined;
        const answer =
          ended === undefined
            ? unfinished(call, page, followUp)
            : finished(withWayOut(ended, page, name), several);
        if (ended === undefined && key !== undefined) left.leave(key, call);
        return several === undefined ? answer : { ...answer, page: several };
      } finally {
        call.report = () => undefined;
      }
    },
    close() {
      left.clear();
      asked.clear();
    },
  };
}

const APPROVAL_WORDS = {
  pending: 'The page is asking its user for approval.',
  granted: 'The user has approved.',
  denied: 'The user has declined.',
  expired: 'The user gave no answer.',
} as const;

type RouteChoice =
  | { readonly page: HubPage; readonly route: ToolRoute | undefined; readonly rest: JsonObject }
  | { readonly error: OUIError };

function chooseRoute(directory: PageDirectory, routes: readonly ToolRoute[], args: JsonObject): RouteChoice {
  const newest = routes[routes.length - 1];
  const ownArgument = newest !== undefined && hasOwnPageArgument(newest.tool.inputSchema);
  const { [PAGE_ARGUMENT]: asked, ...others } = args;
  // A tool that no page has any more still goes to a page: its answer names what there is instead.
  const choice = choosePage(directory, ownArgument ? undefined : asked, ({ id }) => id === newest?.page.id);
  if ('error' in choice) return choice;
  const route = routes.find(({ page }) => page.id === choice.page.id);
  return { page: choice.page, route, rest: ownArgument ? args : others };
}

/** The outcome; undefined when it takes longer than anybody waits; or that the client's user must be asked first. */
async function waitFor(
  call: PendingCall,
  signal: AbortSignal,
  ms: number,
): Promise<AgentCallResult | undefined | 'asking'> {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => call.cancel();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ms);
    });
    const asking = new Promise<'asking'>((resolve) => {
      call.asking = () => resolve('asking');
      if (call.question?.later === true) resolve('asking');
    });
    return await Promise.race([call.outcome, late, asking]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function finished(ended: AgentCallResult, page: string | undefined): ToolOutcome {
  const { result, changed, cuts, approvalPending } = ended;
  const next = approvalPending === undefined ? resultRest(ended, page) : UNANSWERED;
  const fit: Fit = { ...(cuts && { observations: cuts }), ...(result.fit?.data && { data: result.fit.data }) };
  return {
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(result.error === undefined ? {} : { error: result.error }),
    settled: result.settled ?? true,
    observations: changed,
    ...(Object.keys(fit).length === 0 ? {} : { fit }),
    ...(result.delivery === undefined ? {} : { delivery: result.delivery }),
    ...(next === undefined ? {} : { next }),
  };
}

function unfinished({ acknowledgment, approval, question }: PendingCall, { page }: HubPage, followUp: string): ToolOutcome {
  const pending = { settled: false, observations: {}, pending: true } as const;
  if (!page.connected) {
    const message = `The page is away, as in a reload; it is waited for. ${followUp}`;
    return { ...pending, error: { code: ERROR_CODES.TIMEOUT, message }, next: followUp };
  }
  if (acknowledgment !== undefined) {
    return {
      ...pending,
      ...(acknowledgment.data === undefined ? {} : { data: acknowledgment.data }),
      next: `It was accepted and is still running. ${followUp}`,
    };
  }
  if (question !== undefined) {
    const message = `The user has not answered your client's question yet. ${followUp}`;
    return { ...pending, error: { code: ERROR_CODES.APPROVAL_REQUIRED, message }, next: followUp };
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
