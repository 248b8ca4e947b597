import type { OUIAction, OUISurface } from '../protocol/manifest.js';
import { isAsyncAction, isPureRead, READ_EFFECTS } from '../protocol/manifest.js';
import { clipText } from '../rules/clip-text.js';
import * as LIMITS from '../protocol/limits.js';
import { defineSurface } from '../surface/definition/define-surface.js';
import { SURFACE_BRAND } from '../surface/definition/definition.js';
import type {
  ActionCall,
  ActionDefinition,
  DefinedSurface,
  HandlerEnvelope,
  SurfaceDefinition,
} from '../surface/definition/definition.js';

/** How a plugin's surface is called in the page around it. */
export interface PluginSurfaceOptions {
  readonly id: string;
  readonly pluginName: string;
  /** The plugin's runtime waits until its page is quiet before it answers, as ours does. */
  readonly settles: boolean;
  forward(action: OUIAction, params: unknown, call: ActionCall): Promise<HandlerEnvelope>;
}

/** Members of an action that stand for themselves. What a job is followed by stays in the plugin. */
const MEMBERS = [
  'id', 'title', 'description', 'input', 'output', 'confirm', 'effect', 'usage', 'preconditions', 'estimatedDuration',
  'tags', 'enabled', 'disabledReason',
] as const;

/**
 * A plugin's surface as one of the page's own: its manifest, with handlers that forward. Its `activation` is left out,
 * which speaks of the plugin's routes.
 *
 * @throws {TypeError} when the manifest breaks a rule of the specification.
 */
export function pluginSurface(surface: OUISurface, options: PluginSurfaceOptions): DefinedSurface<never> {
  const { id, pluginName } = options;
  const { description, version, observations, metadata, concurrent } = surface;
  const definition: SurfaceDefinition<never> = {
    id,
    name: `${pluginName}: ${clipText(surface.name, LIMITS.pluginNameLength)}`,
    description,
    actions: surface.actions.map((action) => forwardingAction(action, options)),
    ...(version !== undefined && { version }),
    ...(observations && { observations }),
    ...(metadata && { metadata }),
    ...(concurrent !== undefined && { concurrent }),
  };
  const defined = (defineSurface as unknown as (given: typeof definition) => DefinedSurface<never>)(definition);
  return { ...defined, [SURFACE_BRAND]: { ...defined[SURFACE_BRAND], strangers: true } };
}

function forwardingAction(action: OUIAction, { settles, forward }: PluginSurfaceOptions): ActionDefinition<never> {
  const known = Object.fromEntries(
    MEMBERS.flatMap((member) => (action[member] === undefined ? [] : [[member, action[member]]])),
  ) as unknown as OUIAction;
  return {
    ...asked(known),
    ...(isAsyncAction(action) && { async: true }),
    // It has waited for its page by then, and this page sees all of it in the observations that came before.
    ...(settles && !isPureRead(action) && { settle: 'sync' }),
    handler: (params, _context, call) => forward(action, params, call),
  };
}

/**
 * An action of the page's own that reads needs no approval, whatever it says. A stranger's that says both is asked
 * about.
 */
function asked(action: OUIAction): OUIAction {
  const { effect, ...rest } = action;
  return action.confirm && effect !== undefined && READ_EFFECTS.has(effect) ? rest : action;
}
