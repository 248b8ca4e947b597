/** `oui-elements/compat/spec`: the names and the behaviour of `oui-spec/spec`. */
export {
  ARGS_HASH_PATTERN,
  argsHash,
  effectAccess,
  OUI_EFFECT_ACCESS,
  OUI_EFFECT_KINDS,
  requiresApproval,
} from '../compat/approval-names.js';
export { OUI_PROTOCOL_EVENTS } from '../compat/event-names.js';
export { atPointer, FIT_LIST_STEPS, FIT_TEXT_CHARS, fitObservations, pointerStep, pointerSteps } from '../compat/fit-names.js';
export {
  constantOf,
  DEFINITION_HASH_HEX,
  discriminatorOf,
  firstSentence,
  INDEX_DESCRIPTION_CHARS,
  INDEX_INPUT_CHARS,
  INDEX_INPUT_PROPERTIES,
  indexEntry,
  jsonBytes,
  OUI_DESCRIBE_ACTION,
  OUI_READ_ACTION,
  OUI_RUNTIME_SURFACE,
  summarizeInput,
  surfaceIndex,
  withoutTitleLeadIn,
} from '../compat/index-names.js';
export { utf8Length } from '../protocol/byte-length.js';
export { canonicalJson } from '../rules/canonical-json.js';
export { definitionHash, sortedJson, surfacesHash } from '../rules/surfaces-hash.js';
export type * from '../compat/wire-types.js';
