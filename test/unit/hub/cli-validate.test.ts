import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../src/hub/cli-main.js';

const action = { id: 'add_todo', description: 'Adds a todo to the list.', input: { type: 'object', properties: {} } };
const manifest = { id: 'todo-app', name: 'Todos', description: 'Create and complete tasks.', actions: [action] };

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'oui-validate-'))));
afterAll(() => rm(folder, { recursive: true }));

async function validate(value: unknown, ...options: readonly string[]) {
  const file = join(folder, 'manifest.json');
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return oui(file, ...options);
}

async function oui(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const output = { print: (line: string) => void out.push(line), tell: (line: string) => void err.push(line) };
  const code = await runCommand(['validate', ...args], { output, env: {}, stopped: Promise.resolve() });
  return { code, out, err: err.join('\n') };
}

describe('oui validate', () => {
  it('says that a manifest is valid', async () => {
    expect(await validate(manifest)).toEqual({ code: 0, out: ['todo-app: valid'], err: '' });
  });

  it('fails for an empty list: a step that checks nothing must not pass unnoticed', async () => {
    expect(await validate([])).toMatchObject({ code: 1, out: [], err: expect.stringContaining('no manifest to check') });
  });

  it('names every problem by its JSON Pointer, and fails', async () => {
    const wrong = { ...manifest, name: 1, actions: [{ ...action, id: 'X', input: { type: 'strng' } }] };
    const { code, out } = await validate(wrong);
    expect(code).toBe(1);
    expect(out[0]).toMatch(/^todo-app: 3 problems/);
    expect(out.slice(1, 4)).toEqual([
      expect.stringMatching(/^ {2}error \/name must be a text, got 1 \[type\]$/),
      expect.stringMatching(/^ {2}error \/actions\/0\/id must match .* \[id\]$/),
      expect.stringMatching(/^ {2}error \/actions\/0\/input\/type must be one of .* \[keyword\]$/),
    ]);
  });

  it('does not fail for warnings', async () => {
    const { code, out } = await validate({ ...manifest, description: 'Todos' });
    expect(code).toBe(0);
    expect(out).toEqual(['todo-app: valid, 1 warning', expect.stringMatching(/^ {2}warning \/description says too little/)]);
  });

  it('reads lists, snapshots and a byte order mark; ids are unique in a list', async () => {
    expect((await validate([manifest, { ...manifest, id: 'other-app' }, 7])).out.map((line) => line.slice(0, 15))).toEqual([
      'todo-app: valid', 'other-app: vali', '#3: 1 problem', '  error (the ma',
    ]);
    expect((await validate({ surfaces: [manifest], surfacesHash: 'x' })).out).toEqual(['todo-app: valid']);
    expect((await validate(`\uFEFF${JSON.stringify(manifest)}`)).out).toEqual(['todo-app: valid']);
    const { code, out } = await validate([manifest, manifest]);
    expect([code, out[2]]).toEqual([1, '  error /id is the id of surface 1 of the list too [unique]']);
  });

  it('prints JSON for programs', async () => {
    const { code, out } = await validate([manifest, { ...manifest, id: 'oui' }], '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out.join('\n'))).toEqual([
      { surface: 'todo-app', valid: true, problems: [], warnings: [] },
      {
        surface: 'oui',
        valid: false,
        problems: [{ path: '/id', rule: 'reserved', message: expect.stringContaining('the runtime\'s own') }],
        warnings: [],
      },
    ]);
  });

  it('lets nothing but text reach the terminal', async () => {
    const { out } = await validate({ ...manifest, id: '\u001b[2Jx', ['\u001b[31m']: 1 });
    expect(out.join('')).not.toContain('\u001b');
  });

  it('says what keeps it from reading', async () => {
    expect(await validate('{')).toMatchObject({ code: 1, out: [], err: expect.stringMatching(/is not JSON/) });
    expect(await oui(join(folder, 'nowhere.json'))).toMatchObject({ code: 1, err: expect.stringMatching(/cannot be read/) });
    expect(await oui()).toMatchObject({ code: 2, err: expect.stringMatching(/name one file/) });
    expect(await oui('a', 'b')).toMatchObject({ code: 2 });
  });
});
