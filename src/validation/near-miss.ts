/** Longer names are not compared, and no more of them: nobody mistypes those, and it takes time. */
const MAX_LENGTH = 64;
const MAX_CANDIDATES = 200;

/** The one of these names that was probably meant: another case, other word signs, or a letter or two off. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const most = name.length < 4 ? 1 : 2;
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    if (candidate === name || candidate.length > MAX_LENGTH) continue;
    const distance = plain(candidate) === plain(name) ? 0 : editDistance(name, candidate);
    // A short name that shares nothing with the other is no slip of the hand.
    if (distance >= least || distance >= Math.min(name.length, candidate.length)) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

/** `; did you mean "title"?`, or nothing. */
export function didYouMean(name: unknown, candidates: readonly unknown[]): string {
  if (typeof name !== 'string') return '';
  const meant = nearest(name, candidates.filter((candidate) => typeof candidate === 'string'));
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s.]/g, '');
}

/** Letters to add, drop, change or exchange with the next one, to make one name of the other. */
function editDistance(a: string, b: string): number {
  let twoBack: number[] = [];
  let back = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(back[j]! + 1, row[j - 1]! + 1, back[j - 1]! + (same ? 0 : 1));
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (exchanged) row[j] = Math.min(row[j]!, twoBack[j - 2]! + 1);
    }
    twoBack = back;
    back = row;
  }
  return back[b.length]!;
}
