import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = process.argv[2] ?? fileURLToPath(import.meta.resolve('oui-elements/dist/oui.js'));
process.stdout.write(`sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}\n`);
