/** The plugin of an `<oui-frame>` has come, or has gone. Does not bubble. */
export class OuiFrameEvent extends Event {
  readonly connected: boolean;
  /** Why it has gone, where that is known. */
  readonly reason: string | undefined;

  constructor(connected: boolean, reason?: string) {
    super(connected ? 'oui-frame-connected' : 'oui-frame-disconnected');
    this.connected = connected;
    this.reason = reason;
  }
}

declare global {
  interface HTMLElementEventMap {
    'oui-frame-connected': OuiFrameEvent;
    'oui-frame-disconnected': OuiFrameEvent;
  }
}
