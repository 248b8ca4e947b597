import type { Release } from '../../../protocol/ports.js';
import type { BeginWork, PageScope } from './begin-work.js';

/**
 * Counts navigations as work: those that the page carries out itself until they are done, and one that leaves the
 * document until the end, since the next document is what it leads to. Without the Navigation API only leaving is seen.
 */
export function watchNavigation(scope: PageScope, begin: BeginWork): Release {
  const { navigation } = scope as { readonly navigation?: Navigation };
  let end: Release | undefined;
  const started = (): void => {
    end?.();
    end = begin({ kind: 'navigation' });
  };
  const ended = (): void => {
    end?.();
    end = undefined;
  };
  if (!navigation) {
    scope.addEventListener?.('beforeunload', started);
    return () => scope.removeEventListener?.('beforeunload', started);
  }
  const onNavigate = (event: NavigateEvent): void => {
    if (changesPage(event)) started();
  };
  if (navigation.transition) started();
  navigation.addEventListener('navigate', onNavigate);
  navigation.addEventListener('navigatesuccess', ended);
  navigation.addEventListener('navigateerror', ended);
  return () => {
    navigation.removeEventListener('navigate', onNavigate);
    navigation.removeEventListener('navigatesuccess', ended);
    navigation.removeEventListener('navigateerror', ended);
  };
}

/**
 * Downloads and addresses for other programs (`mailto:`) leave the page as it is, and nothing tells of their end.
 * A link that only its response shows to be a download looks like leaving.
 */
function changesPage({ canIntercept, destination, downloadRequest }: NavigateEvent): boolean {
  return downloadRequest === null && (canIntercept || /^https?:/.test(destination.url));
}
