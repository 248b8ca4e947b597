/**
 * Faults that the model must find, planted one at a time: in this file, this text, which stands there once, becomes
 * that one. A text that is not there any more is an error: the faults keep up with the sources.
 *
 * @typedef {{ name: string, file: string, find: string, replace: string }} PlantedFault
 * @type {readonly PlantedFault[]}
 */
export const PLANTED_FAULTS = [
  {
    name: 'the ids of answered requests are forgotten at the next request',
    file: 'src/engine/ledger.ts',
    find: 'this.#window = window;',
    replace: 'this.#window = Math.min(window, 1);',
  },
  {
    name: 'a repeat of a running request runs again',
    file: 'src/engine/admission.ts',
    find: 'if (known) {',
    replace: "if (known && known.stage !== 'running') {",
  },
  {
    name: 'a repeat of an answered request runs again',
    file: 'src/engine/admission.ts',
    find: 'if (known) {',
    replace: "if (known && known.stage !== 'answered') {",
  },
  {
    name: "an acknowledgment's acknowledgment counts for the outcome",
    file: 'src/engine/answers.ts',
    find: 'else if (interim) this.#interimArrived(entry);\n    else this.#arrived(entry);\n  }\n\n  /** A connection',
    replace: 'else this.#arrived(entry);\n  }\n\n  /** A connection',
  },
  {
    name: 'a job starts without being acknowledged',
    file: 'src/engine/answers.ts',
    find: 'entry.interimResult = resultText(this.#context, entry, part);\n      this.#deliver(entry);',
    replace: '',
  },
  {
    name: 'an acknowledgment that a connection took with it does not come again',
    file: 'src/engine/answers.ts',
    find: '      delete entry.interimSentAt;\n      delete entry.sentAt;\n    }',
    replace: '      delete entry.sentAt;\n    }',
  },
  {
    name: 'an outcome leaves without the acknowledgment that was to leave before it',
    file: 'src/engine/answers.ts',
    find: 'if (entry.interimResult !== undefined && entry.interimSentAt === undefined) {',
    replace: 'if (entry.interimResult !== undefined && !entry.result && entry.interimSentAt === undefined) {',
  },
  {
    name: 'answered requests are not taken over by a new engine',
    file: 'src/engine/engine.ts',
    find: 'for (const entry of inOrderOfTurn(input.entries)) this.#restore(entry);',
    replace: "for (const entry of inOrderOfTurn(input.entries)) if (entry.stage !== 'answered') this.#restore(entry);",
  },
  {
    name: 'what a handler came to is lost with the engine',
    file: 'src/surface/document/journal.ts',
    find: "...[...this.#progress.keys()].flatMap((requestId) => this.ended(requestId))];",
    replace: '];',
  },
  {
    name: 'unmounting ends what runs',
    file: 'src/engine/surfaces.ts',
    find: "const waits = entry.stage === 'queued';",
    replace: "const waits = entry.stage !== 'answered';",
  },
  {
    name: 'what was not acknowledged is not sent again after a disconnection',
    file: 'src/engine/answers.ts',
    find: '      delete entry.interimSentAt;\n      delete entry.sentAt;\n    }',
    replace: '      delete entry.interimSentAt;\n    }',
  },
  {
    name: 'what no transport has taken is dropped at the next connection',
    file: 'src/engine/answers.ts',
    find: 'for (const entry of this.#context.ledger.all()) this.#deliver(entry);',
    replace: 'for (const entry of this.#context.ledger.all()) if (entry.sentAt) this.#deliver(entry);',
  },
  {
    name: 'a handler over its time is said not to have run',
    file: 'src/engine/execution.ts',
    find: "const ran = entry.stage === 'running';",
    replace: 'const ran = false;',
  },
  {
    name: "the user's stop says of what runs that it did not",
    file: 'src/engine/engine.ts',
    find: 'hasStarted(entry) ? stoppedByUser(entry.request.actionId) : pausedByUser()',
    replace: 'pausedByUser()',
  },
  {
    name: 'two actions of one surface run at once',
    file: 'src/engine/surface-queue.ts',
    find: 'if (!this.#holders.has(surfaceId)) {\n      this.#holders.set(surfaceId, requestId);\n      return',
    replace: 'if (this.#holders.size >= 0) {\n      this.#holders.set(surfaceId, requestId);\n      return',
  },
  {
    name: 'an ended request keeps its place in the queue',
    file: 'src/engine/execution.ts',
    find: 'const next = this.#context.queue.leave(entry.request.surfaceId, entry.requestId);',
    replace: 'const next = undefined;',
  },
  {
    name: 'before its hello a peer counts as one that acknowledges nothing',
    file: 'src/engine/peer.ts',
    find: "this.#acknowledges = acknowledges ? 'yes' : 'unknown';",
    replace: "this.#acknowledges = acknowledges ? 'yes' : 'no';",
  },
  {
    name: 'a no of the user admits',
    file: 'src/engine/approvals.ts',
    find: "    if (decision === 'granted') {",
    replace: "    if (decision !== 'dismissed') {",
  },
  {
    name: 'the agent takes a repeated acknowledgment for another one',
    file: 'src/agent/sent-request.ts',
    find: "return this.#acknowledged ? 'repeat' : 'acknowledgment';",
    replace: "return 'acknowledgment';",
  },
  {
    name: 'a start is not in the tab\'s storage until the handler has ended',
    file: 'src/surface/document/journal.ts',
    find: "const begun = entry.stage === 'running' || this.#written.has(requestId);",
    replace: 'const begun = this.#progress.has(requestId) || this.#written.has(requestId);',
  },
  {
    name: 'what ran in an earlier document is said not to have run',
    file: 'src/surface/document/left-request.ts',
    find: "return { code, message, details: { ran: 'unknown',",
    replace: 'return { code, message, details: { ran: false,',
  },
  {
    name: 'what an earlier document had acknowledged is forgotten by the next',
    file: 'src/surface/document/left-request.ts',
    find: "if (entry.stage === 'answered' && entry.acknowledged) return { entry };",
    replace: "if (entry.stage === 'answered') return undefined;",
  },
  {
    name: 'a request from before the journal runs',
    file: 'src/engine/admission.ts',
    find: 'if (sentAt === undefined || sentAt > since + LIMITS.clockErrorMs) return false;',
    replace: 'if (sentAt !== null) return false;',
  },
  {
    name: 'a job of an earlier document is not followed further',
    file: 'src/surface/earlier-document.ts',
    find: 'for (const { entry, outcome } of left) if (!outcome) this.#ports.resume(entry);',
    replace: '',
  },
  {
    name: 'what was refused is said not to have run, however often it was asked',
    file: 'src/agent/sent-request.ts',
    find: 'return this.#taken || this.#repeated;',
    replace: 'return this.#taken;',
  },
];
