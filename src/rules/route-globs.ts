/**
 * Route patterns (specification §6.3). Segments are compared whole:
 *
 * - `*` is exactly one segment, `**` one or more: `/todos/**` matches `/todos/1/edit`, not `/todos` itself.
 * - A pattern that is nothing but `**` matches every path, `/` too: there is no parent that it could leave out.
 * - A slash at the end, or two in a row, makes no difference; letters' case does.
 * - `%C3%A9` and `é` are the same; `%2F` is no separator, and `%2A` no wildcard.
 * - `#/…` patterns match `#/…` paths. A query, and a fragment after a path, do not count.
 */

/** Parts of a path, undecoded. A leading `#` is a part of its own. */
function split(path: string): string[] {
  const hashed = path.startsWith('#');
  const end = path.slice(1).search(hashed ? /\?/ : /[?#]/);
  return (end === -1 ? path : path.slice(0, end + 1)).split('/').filter((part) => part !== '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign: taken as it is.
    return segment;
  }
}

/** Whether a path (`location.pathname`, or a router's `#/…`) matches one pattern. Time: segments × segments at most. */
export function matchesRoute(pattern: string, path: string): boolean {
  const wanted = split(pattern);
  const actual = split(path).map(decode);
  if (wanted.length === 1 && wanted[0] === '**') return true;

  // `**` is one segment and then any number: the position after the last such point is where matching goes on when a
  // later segment fails. Earlier ones need no second look, since the last takes over whatever they could have taken.
  let at = 0;
  let position = 0;
  let resumeAt = -1;
  let resumePosition = -1;
  while (true) {
    if (at < wanted.length && position < actual.length) {
      const segment = wanted[at] as string;
      if (segment === '**') {
        at++;
        position++;
        resumeAt = at;
        resumePosition = position;
        continue;
      }
      if (segment === '*' || decode(segment) === actual[position]) {
        at++;
        position++;
        continue;
      }
    } else if (at === wanted.length && position === actual.length) {
      return true;
    }
    if (resumeAt === -1 || resumePosition >= actual.length) return false;
    resumePosition++;
    position = resumePosition;
    at = resumeAt;
  }
}

/** Whether a path matches any of the patterns. */
export function matchesRoutes(patterns: string | readonly string[], path: string): boolean {
  const list = typeof patterns === 'string' ? [patterns] : patterns;
  return list.some((pattern) => matchesRoute(pattern, path));
}
