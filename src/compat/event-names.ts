import { EVENT } from '../protocol/events.js';

/** The protocol's events by `oui-spec`'s names. */
export const OUI_PROTOCOL_EVENTS = {
  SURFACE_REGISTER: EVENT.register,
  SURFACE_DEREGISTER: EVENT.deregister,
  ACTION_REQUEST: EVENT.request,
  ACTION_RESULT: EVENT.result,
  OBSERVATION_UPDATE: EVENT.observation,
} as const;
