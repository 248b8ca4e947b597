import { defineSurface } from '../../src/entries/core.js';
import { z } from 'zod';

interface Page {
  readonly columns: readonly string[];
  sortBy(column: string, order: 'up' | 'down'): void;
  countOf(text: string): number;
}

export const table = defineSurface<Page>()({
  id: 'table',
  name: 'Table',
  description: 'The rows of the open file.',
  actions: [
    {
      id: 'sort_rows',
      description: 'Sort the rows by a column',
      input: {
        type: 'object',
        properties: {
          column: { type: 'string', description: 'Which column', enum: (page: Page) => page.columns },
          order: { type: 'string', description: 'Which way', enum: ['up', 'down'], default: 'up' },
        },
        required: ['column'],
      },
      handler: ({ column, order }, page) => page.sortBy(column, order),
    },
    {
      id: 'count_rows',
      description: 'Count the rows that have a text',
      effect: 'view',
      input: z.object({ text: z.string().max(80).trim().describe('What to look for') }),
      output: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
      handler: ({ text }, page) => ({ count: page.countOf(text) }),
    },
  ],
});
