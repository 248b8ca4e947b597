import type { OUIActionEffect } from '../protocol/manifest.js';

/**
 * The types of `oui-spec`'s wire. They say the same as those of `oui-elements/spec`, whose members are read-only: code
 * that was written for `oui-spec` fills such objects in member by member.
 */

export type OUIEffectKind = OUIActionEffect;

/** A JSON Schema. Keywords beyond those named are taken as they are. */
export interface JSONSchema {
  type?: string | string[];
  properties?: Record<string, JSONSchema>;
  items?: JSONSchema;
  required?: string[];
  enum?: (string | number | boolean)[];
  description?: string;
  default?: unknown;
  oneOf?: JSONSchema[];
  anyOf?: JSONSchema[];
  allOf?: JSONSchema[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  additionalProperties?: boolean | JSONSchema;
  title?: string;
  [keyword: string]: unknown;
}

export interface OUIActionPolling {
  intervalMs: number;
  maxAttempts?: number;
  maxDurationMs?: number;
  subscribe?: { event: string; filter?: Record<string, unknown> };
}

export interface OUIAction {
  id: string;
  description: string;
  title?: string;
  effect?: OUIEffectKind;
  input: JSONSchema;
  output?: JSONSchema;
  confirm?: boolean;
  async?: boolean;
  polling?: OUIActionPolling;
  usage?: string;
  preconditions?: string;
  estimatedDuration?: string;
  tags?: string[];
}

export interface OUIObservation {
  id: string;
  description: string;
  schema: JSONSchema;
  updateFrequency?: 'realtime' | 'on-change' | 'polling';
}

export interface OUIActivation {
  routes?: string | string[];
  entity?: { type: string; id?: string };
  condition?: string;
}

export interface OUISurface {
  id: string;
  name: string;
  description: string;
  version?: string;
  actions: OUIAction[];
  observations?: OUIObservation[];
  activation?: OUIActivation;
  metadata?: Record<string, unknown>;
}

export interface OUIActionIndexEntry {
  id: string;
  title?: string;
  description: string;
  effect?: OUIEffectKind;
  confirm?: true;
  async?: true;
  estimatedDuration?: string;
  maxDurationMs?: number;
  input: string;
  definitionHash: string;
}

export interface OUISurfaceIndex {
  id: string;
  name: string;
  description: string;
  version?: string;
  observations?: OUIObservation[];
  index: OUIActionIndexEntry[];
}

export interface OUIFitCut {
  surface: string;
  observation: string;
  path: string;
  kind: 'list' | 'text' | 'value';
  total: number;
  kept: number;
}

export interface OUIFit {
  observations?: OUIFitCut[];
  data?: { bytes: number; limit: number };
}

/** What a request for an approved action carries. */
export interface OUIActionApproval {
  approvalId: string;
  argsHash: string;
}

/** What the host records when the user has approved a request in this tab. */
export interface OUIApprovalGrant extends OUIActionApproval {
  /** Unix epoch, ms. */
  expiresAt: number;
  /** With both, the grant admits requests of this action only. */
  surfaceId?: string;
  actionId?: string;
}

export interface OUIActionRequest {
  requestId: string;
  surfaceId: string;
  actionId: string;
  params: Record<string, unknown>;
  timestamp: number;
  turnId?: string;
  approval?: OUIActionApproval;
  knownSurfaces?: string;
}

export interface OUIResultDelivery {
  trimmed: true;
  reason: string;
  omitted: ('surfaces' | 'index' | 'observations' | 'data')[];
}

export interface OUIActionResult {
  requestId: string;
  success: boolean;
  data?: unknown;
  error?: { code: string; message: string; details?: unknown };
  progress?: number;
  interim?: boolean;
  durationMs?: number;
  timestamp: number;
  surfaces?: OUISurface[];
  index?: OUISurfaceIndex[];
  observations?: OUIObservationSnapshot;
  fit?: OUIFit;
  surfacesHash?: string;
  delivery?: OUIResultDelivery;
  settled?: boolean;
}

/** Values by surface id, then by observation id. */
export type OUIObservationSnapshot = Record<string, Record<string, unknown>>;

export interface OUISurfaceSnapshot {
  surfaces: OUISurface[];
  observations: OUIObservationSnapshot;
  surfacesHash?: string;
  fit?: OUIFit;
}

export interface OUIIndexSnapshot {
  index: OUISurfaceIndex[];
  observations: OUIObservationSnapshot;
  surfacesHash?: string;
  fit?: OUIFit;
}

export type OUIClientSnapshot = OUISurfaceSnapshot | OUIIndexSnapshot;

export interface OUIObservationUpdate {
  surfaceId: string;
  observationId: string;
  value: unknown;
  timestamp: number;
}

export interface OUISurfaceRegistration {
  surface: OUISurface;
  timestamp: number;
}

export interface OUISurfaceDeregistration {
  surfaceId: string;
  timestamp: number;
}

export type OUIProtocolEvent =
  | { type: 'surface:register'; payload: OUISurfaceRegistration }
  | { type: 'surface:deregister'; payload: OUISurfaceDeregistration }
  | { type: 'action:request'; payload: OUIActionRequest }
  | { type: 'action:result'; payload: OUIActionResult }
  | { type: 'observation:update'; payload: OUIObservationUpdate };
