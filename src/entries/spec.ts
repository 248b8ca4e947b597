/** `oui-elements/spec`: the protocol's types, names and numbers, and the rules that both sides share. */
export { ERROR_CODES, STANDARD_ERROR_CODES } from '../protocol/error-codes.js';
export type { OUIErrorCode } from '../protocol/error-codes.js';
export { EVENT, EXTENSION, FEATURES } from '../protocol/events.js';
export type {
  OUIAck,
  OUIActionRequest,
  OUIActionResult,
  OUIApprovalNotice,
  OUICancel,
  OUIConfirmBy,
  OUIError,
  OUIEvent,
  OUIExtensionEvent,
  OUIFeature,
  OUIHello,
  OUIObservationRequest,
  OUIObservationUpdate,
  OUIObservationValues,
  OUIProtocolEvent,
  OUIReceipt,
  OUISurfaceDeregistration,
  OUISurfaceRegistration,
  OUIValidationIssue,
} from '../protocol/events.js';
export type { Json, JSONSchema, JsonText } from '../protocol/json.js';
export {
  LIMITS,
  MEMBER_ID_PATTERN,
  PROTOCOL_VERSION,
  RESERVED_SURFACE_ID,
  SURFACE_ID_PATTERN,
} from '../protocol/limits.js';
export { isAsyncAction, isPureRead, READ_EFFECTS, requiresApproval } from '../protocol/manifest.js';
export type {
  OUIAction,
  OUIActionEffect,
  OUIActivation,
  OUIObservation,
  OUIPollingManifest,
  OUISurface,
  OUIUpdateFrequency,
} from '../protocol/manifest.js';
export { argsHash } from '../rules/args-hash.js';
export { canonicalJson } from '../rules/canonical-json.js';
export { matchesRoute, matchesRoutes } from '../rules/route-globs.js';
export { definitionHash, surfacesHash } from '../rules/surfaces-hash.js';
export { toolName } from '../rules/tool-names.js';
