import { onActivated, onBeforeUnmount, onDeactivated, onMounted, shallowRef } from 'vue';
import type { Ref } from 'vue';

/**
 * Whether the component is on the page: mounted, and not put away by a `<KeepAlive>`. Never on a server, nor for a
 * component that a `<Suspense>` still waits for.
 */
export function useShown(): Readonly<Ref<boolean>> {
  const shown = shallowRef(false);
  const show = (): void => void (shown.value = true);
  const hide = (): void => void (shown.value = false);
  onMounted(show);
  onActivated(show);
  onDeactivated(hide);
  onBeforeUnmount(hide);
  return shown;
}
