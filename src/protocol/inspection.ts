import type { JsonText } from './json.js';

/** One message, as the connection carried it. */
export interface InspectedFrame {
  /** `in`: from the agent. `out`: from the page, when it was handed to the transport. */
  readonly direction: 'in' | 'out';
  /** Its type, such as `oui:action:request`. */
  readonly type: string;
  /** UTF-8 bytes of its JSON. What came in is measured as JSON without white space. */
  readonly bytes: number;
  /** Its payload, at most `inspectedFrameLength` UTF-16 units of it. */
  readonly payload: JsonText;
  /** The payload goes on. */
  readonly cut?: true;
  /** Unix epoch, ms. */
  readonly at: number;
}

/** Work of the page that is seen from outside, where `settle.track` is on; navigations always. */
export type WorkKind = 'request' | 'timer' | 'transition' | 'navigation';

/** One moment of a call's settling: what keeps its result waiting, and what ends that (PROTOCOL.md §3). */
export type SettleMoment =
  /** The handler has returned. `holds`: what the open holds are called. `work`: pieces of the page's work under way. */
  | { readonly kind: 'waiting'; readonly quietMs: number; readonly holds: readonly string[]; readonly work: number }
  /** Something was mounted, unmounted, updated or switched. */
  | { readonly kind: 'surfaces' }
  /** An observation changed. `ignored`: it changes all the time, so nothing waits for it. */
  | {
      readonly kind: 'observation';
      readonly surfaceId: string;
      readonly observationId: string;
      readonly ignored?: true;
    }
  | { readonly kind: 'hold' | 'release'; readonly name: string }
  | { readonly kind: 'work' | 'work-ended'; readonly work: WorkKind }
  /**
   * `quiet`: nothing new for a while. `still`: tracked work is done and two frames were still. `rendered`: the handler's
   * own work was painted (`settle: "sync"`). `deadline`: it gave up waiting. `ended`: the request ended from outside.
   */
  | { readonly kind: 'end'; readonly settled: boolean; readonly why: SettleEnd };

/** Why a result went when it did: see `end` of `SettleMoment`. */
export type SettleEnd = 'quiet' | 'still' | 'rendered' | 'deadline' | 'ended';
