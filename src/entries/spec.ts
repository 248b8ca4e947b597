/** `oui-elements/spec`: the protocol's types, names and numbers, and the rules that both sides share. */
export { MEMBER_ID_PATTERN, RESERVED_SURFACE_ID, SURFACE_ID_PATTERN } from '../protocol/author-ids.js';
export * as ERROR_CODES from '../protocol/error-codes.js';
export { EVENT, EXTENSION, FEATURES, PROTOCOL_VERSION } from '../protocol/events.js';
export type {
  Cut,
  Fit,
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
export * as LIMITS from '../protocol/limits.js';
export { ACTION_EFFECTS, isAsyncAction, isPureRead, READ_EFFECTS, requiresApproval, UPDATE_FREQUENCIES } from '../protocol/manifest.js';
export type {
  IndexEntry,
  OUIAction,
  OUIActionEffect,
  OUIActivation,
  OUIObservation,
  OUIPollingManifest,
  OUISurface,
  OUIUpdateFrequency,
  SurfaceIndexForm,
} from '../protocol/manifest.js';
export { eventsJsonSchema, manifestJsonSchema } from '../protocol/json-schemas.js';
export { STANDARD_ERROR_CODES } from '../protocol/standard-error-codes.js';
export type { OUIErrorCode } from '../protocol/standard-error-codes.js';
export { argsHash } from '../rules/args-hash.js';
export { canonicalJson } from '../rules/canonical-json.js';
export { fitObservations, fitObservationTexts } from '../rules/fit.js';
export type { FittedObservations, FittedTexts, ObservationTexts } from '../rules/fit.js';
export { indexEntry, surfaceIndex } from '../rules/index-entry.js';
export { summarizeInput } from '../rules/input-summary.js';
export { matchesRoute, matchesRoutes } from '../rules/route-globs.js';
export { definitionHash, surfacesHash } from '../rules/surfaces-hash.js';
export { validateManifest } from '../validation/validate-manifest.js';
export type { ManifestReport } from '../validation/validate-manifest.js';
export type { ManifestProblem } from '../validation/schema-problems.js';
export { toolName } from '../rules/tool-names.js';
