/**
 * About how long a value's JSON text is, in UTF-16 units, without writing it. Stops as soon as that is more than
 * `most`, so that a cycle ends too. What JSON has no form for, and `postMessage` carries all the same, counts by what it
 * holds: to list the members of a typed array would take more memory than the array itself.
 */
export function valueUnits(value: unknown, most: number): number {
  let units = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && units <= most) {
    const each = pending.pop();
    units += 2;
    if (typeof each === 'string') units += each.length;
    else if (typeof each !== 'object' || each === null) units += 2;
    else if (Array.isArray(each)) {
      units += each.length;
      if (units <= most) for (const item of each as readonly unknown[]) pending.push(item);
    } else if (ArrayBuffer.isView(each) || each instanceof ArrayBuffer) {
      units += each.byteLength;
    } else if (each instanceof String) {
      units += each.length;
    } else if (each instanceof Map || each instanceof Set) {
      units += each.size;
      if (units <= most) for (const item of each as Iterable<unknown>) pending.push(item);
    } else {
      for (const [key, member] of Object.entries(each)) {
        units += key.length + 4;
        pending.push(member);
      }
    }
  }
  return units;
}
