import { useEffect } from 'react';
import type { UseSurfaceResult } from './use-surface.js';

/**
 * Keeps an observation equal to a value of the component: that of the last commit. An equal value sends nothing,
 * however often the component renders; an object is written as JSON to find that out, ten times a second at most. The
 * value stays when the component is gone, as long as the surface is mounted.
 *
 * @throws {Error} (in the effect) when the surface does not declare the observation.
 */
export function useObservation(
  surface: Pick<UseSurfaceResult, 'pushObservation'>,
  observationId: string,
  value: unknown,
): void {
  const { pushObservation } = surface;
  // After every commit: the object may be the same one with other content.
  useEffect(() => pushObservation(observationId, value));
}
