/**
 * What is shown on the screenshots: one line each. `prepare` brings the page there; it awaits what it needs to see.
 *
 * @typedef {import('playwright-core').Page} Page
 * @typedef {(page: Page, call: Call) => Promise<void>} Prepare
 * @typedef {{ name: string, path: string, whole?: boolean, prepare?: Prepare }} Scene `whole`: from top to bottom
 * @typedef {(tool: string, params: Record<string, unknown>) => void} Call an agent's call, which is not waited for
 */

/** @type {readonly Scene[]} */
export const SCENES = [
  { name: 'demo-todos', path: '/todos', prepare: connected },
  { name: 'demo-charts', path: '/studio/dataviz', whole: true, prepare: drawn },
  { name: 'approval', path: '/todos', prepare: asked },
  { name: 'presence', path: '/todos', prepare: signShown },
  { name: 'inspector', path: '/todos?inspect', prepare: inspected },
  { name: 'inspector-calls', path: '/todos?inspect', prepare: callInspected },
  { name: 'inspector-connection', path: '/todos?inspect', prepare: connectionInspected },
  { name: 'docs-overview', path: '/docs/' },
  { name: 'docs-start', path: '/docs/start.html', whole: true },
  { name: 'docs-elements', path: '/docs/elements.html' },
  { name: 'docs-surfaces', path: '/docs/surfaces.html', whole: true },
  { name: 'docs-comparison', path: '/docs/comparison.html', whole: true },
  { name: 'docs-limits', path: '/docs/limits.html' },
];

/** @param {Page} page */
async function connected(page) {
  await page.locator('#connection[data-state=connected]').waitFor();
}

/** The user has made a chart. @param {Page} page */
async function drawn(page) {
  await connected(page);
  await page.getByText('Bakery sales').click();
  await page.locator('#render-form button').click();
  await page.locator('#export-buttons button:enabled').first().waitFor();
}

/** An agent does something, and the sign says so. @param {Page} page @param {Call} call */
async function signShown(page, call) {
  await connected(page);
  // Held, so that the call is still open when the picture is taken.
  await page.locator('oui-runtime').evaluate((element) => void /** @type {any} */ (element).runtime.hold());
  call('todo-app__bulk_complete', { todoIds: ['todo-1', 'todo-2'] });
  await page.locator('oui-presence [part~="sign"][data-state="acting"]').waitFor();
}

/** The surfaces of the page, and an action that is tried with a value that does not fit. @param {Page} page */
async function inspected(page) {
  await connected(page);
  await page.getByRole('treeitem', { name: 'add_todo' }).click();
  const inspector = page.locator('oui-inspector');
  await inspector.getByRole('button', { name: 'Try it' }).click();
  await inspector.locator('[part~="error"]').first().waitFor();
  await inspector.getByLabel('title').scrollIntoViewIfNeeded();
}

/** What an agent has called, with what its result waited for. @param {Page} page @param {Call} call */
async function callInspected(page, call) {
  await connected(page);
  await page.locator('oui-inspector [part~="tree"]').waitFor();
  call('todo-app__add_todo', { title: 'Water the plants' });
  await page.getByRole('tab', { name: 'Calls' }).click();
  const row = page.locator('oui-inspector .row', { hasText: 'Water the plants' });
  await row.getByText('done').waitFor();
  await row.getByRole('button').click();
}

/** @param {Page} page */
async function connectionInspected(page) {
  await connected(page);
  await page.getByRole('tab', { name: 'Connection' }).click();
  await page.locator('oui-inspector [part~="log"]').waitFor();
}

/** An agent wants to delete a todo, and the page asks. @param {Page} page @param {Call} call */
async function asked(page, call) {
  await connected(page);
  const address = await page.locator('#todos li > a').first().getAttribute('href');
  call('todo-app__delete_todo', { todoId: address?.replace('/todos/', '') });
  await page.getByRole('alertdialog').waitFor();
}
