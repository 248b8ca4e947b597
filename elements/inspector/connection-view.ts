import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { InspectedSettings } from '../../src/surface/inspection.js';
import type { Drawing } from './drawing.js';
import type { Note } from './inspector-state.js';

/** The agent's end, the engine, what is allowed in size and time, and what happened to them. */
export function connectionView(drawing: Drawing): TemplateResult {
  const { state, texts } = drawing;
  const { runtime, inspection } = state;
  if (!runtime || !inspection) return html`<p class="empty">${texts.noRuntime}</p>`;
  const { peer, paused, settings } = inspection;
  const peerText = peer ? (peer.software ?? texts.v1) : texts.unknownPeer;
  const set = (change: () => void): void => {
    change();
    state.changed();
  };
  return html`<div class="columns">
    <section>
      <h3>${texts.connection}</h3>
      ${facts([
        [texts.connection, html`<span class="chip ${runtime.connection}">${texts.connectionStates[runtime.connection]}</span>`],
        [texts.address, settings.address ?? texts.ownTransport],
        [texts.peer, peerText],
        [texts.features, peer && peer.features.length > 0 ? peer.features.join(', ') : undefined],
        [texts.engine, texts.engines[runtime.engine ?? 'none']],
        [texts.agents, paused ? texts.agentsPaused : texts.agentsOn],
      ])}
      <div class="buttons">
        ${paused
          ? html`<button type="button" @click=${() => set(() => runtime.resume())}>${texts.resumeAgents}</button>`
          : html`<button type="button" @click=${() => set(() => runtime.pause())}>${texts.pauseAgents}</button>
              <button type="button" class="danger" @click=${() => set(() => runtime.stop())}>${texts.stopAgents}</button>`}
      </div>
    </section>
    <section>
      <h3>${texts.budgets}</h3>
      ${facts(settingsOf(drawing, settings))}
    </section>
    <section>
      <h3>${texts.log}</h3>
      <ol class="log" part="log">${[...state.notes].reverse().map((note) => noteView(drawing, note))}</ol>
    </section>
  </div>`;
}

type Fact = readonly [term: string, value: string | TemplateResult | undefined];

function facts(list: readonly Fact[]): TemplateResult {
  return html`<dl class="facts">${list.map(([term, value]) => {
    return value === undefined ? nothing : html`<div><dt>${term}</dt><dd>${value}</dd></div>`;
  })}</dl>`;
}

function settingsOf({ texts, amounts }: Drawing, settings: InspectedSettings): Fact[] {
  const names = texts.settings;
  return [
    [names.resultBytes, amounts.bytes(settings.resultBytes)],
    [names.updateBytes, amounts.bytes(settings.updateBytes)],
    [names.snapshotBytes, amounts.bytes(settings.snapshotBytes)],
    [names.quietMs, amounts.duration(settings.quietMs)],
    [names.settleTimeoutMs, amounts.duration(settings.settleTimeoutMs)],
    [names.tracked, settings.tracked ? texts.yes : texts.no],
    [names.actionMs, amounts.duration(settings.actionMs)],
    [names.approvalMs, amounts.duration(settings.approvalMs)],
    [names.rate, texts.ratePerSecond(settings.ratePerSecond, settings.rateBurst)],
    [names.confirmBy, settings.confirmBy],
    [names.form, settings.form],
    [names.announce, settings.announce ? texts.yes : texts.no],
  ];
}

function noteView({ texts, amounts }: Drawing, { at, note }: Note): TemplateResult {
  return html`<li><span class="muted number">${amounts.time(at)}</span> ${noteText(texts, note)}</li>`;
}

function noteText(texts: Drawing['texts'], note: Note['note']): string {
  switch (note.kind) {
    case 'connection':
      return texts.notes.connection(texts.connectionStates[note.state], note.reason);
    case 'peer':
      return texts.notes.peer(note.software);
    case 'engine':
      return texts.notes.engine(texts.engines[note.where]);
    case 'switch':
      return note.allowed ? texts.notes.allowed(note.what) : texts.notes.denied(note.what);
  }
}
