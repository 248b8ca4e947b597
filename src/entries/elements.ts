/** `oui-elements/elements`: the element classes. Defines none of them. */
import './elements-wiring.js';

export type { AttachmentName } from '../../elements/approval-params.js';
export type { ApprovalTexts } from '../../elements/approval-texts.js';
export type { PresenceTexts } from '../../elements/presence-texts.js';
export { OuiApprovalElement } from '../../elements/oui-approval.js';
export type { ApprovalAnswer } from '../../elements/oui-approval.js';
export { OuiActionElement } from '../../elements/oui-action.js';
export { OuiActionEvent } from '../../elements/oui-action-event.js';
export { OuiFrameElement } from '../../elements/oui-frame.js';
export { OuiFrameEvent } from '../../elements/oui-frame-event.js';
export { OuiHoldElement } from '../../elements/oui-hold.js';
export type { InspectorTexts } from '../../elements/inspector-loader.js';
export { OuiInspectorElement } from '../../elements/oui-inspector.js';
export { OuiObservationElement } from '../../elements/oui-observation.js';
export { OuiParamElement } from '../../elements/oui-param.js';
export { OuiPresenceElement } from '../../elements/oui-presence.js';
export { OuiRuntimeElement } from '../../elements/oui-runtime.js';
export { OuiCallEvent, OuiConnectionEvent } from '../../elements/oui-runtime-events.js';
export { OuiSurfaceElement } from '../../elements/oui-surface.js';
export { ContextRequestEvent, RUNTIME_CONTEXT } from '../../elements/runtime-context.js';
