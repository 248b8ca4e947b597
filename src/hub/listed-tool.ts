import type { ToolInputSchema } from './tool-schema.js';

/** A tool as MCP lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  readonly annotations: {
    readonly title?: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** `oui/surface`, `oui/action` and `oui/pages`: where the tool comes from, for programs. Empty for the hub's own. */
  readonly _meta: { readonly [key: string]: unknown };
}
