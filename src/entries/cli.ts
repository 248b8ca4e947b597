#!/usr/bin/env node
import { main } from '../hub/cli-main.js';

await main();
