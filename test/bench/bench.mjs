/** `npm run bench`: figures of one run, as ratios where a machine's speed would show. Needs the build and a Chromium. */
import { findBrowser } from '../browsers/find.mjs';
import { argsHashTable } from './args-hash.mjs';
import { bundleSizeTable } from './bundle-sizes.mjs';
import { elementsTable } from './elements.mjs';
import { engineTable, fitTable, offeredTable } from './frames.mjs';
import { inspectorTable } from './inspector.mjs';
import { measureRoundTrips, roundTripTable } from './round-trips.mjs';
import { settleLatencyTable } from './settle-latency.mjs';
import { encoderTable, largeObservationTable } from './values.mjs';
import { validationTable } from './validation.mjs';

const chromium = findBrowser('chromium');
if (!chromium) {
  process.stderr.write('No Chromium was found. Install one, or name it: CHROME_PATH=/path/to/chrome npm run bench\n');
  process.exit(1);
}

console.table(roundTripTable(await measureRoundTrips(chromium.executable)));
console.table(await settleLatencyTable(chromium.executable));
console.table(await elementsTable(chromium.executable));
console.table(await inspectorTable(chromium.executable));
console.table(fitTable());
console.table(offeredTable());
console.table(engineTable());
console.table(encoderTable());
console.table(await largeObservationTable(chromium.executable));
console.table(await argsHashTable());
console.table(await validationTable());
console.table(bundleSizeTable());
