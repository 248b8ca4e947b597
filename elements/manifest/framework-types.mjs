/**
 * The elements, said to each framework in its own words. These files stand beside `dist/types/index.d.ts`.
 *
 * @type {{ readonly [name: string]: string }}
 */
export const FRAMEWORK_TYPES = {
  'react.d.ts': `/** \`import 'oui-elements/types/react'\`: JSX of React 19 knows the elements. */
import type { ClassAttributes, HTMLAttributes } from 'react';
import type { OuiElementProps, OuiElements, OuiListeners } from './index.js';

export type OuiReactElements = {
  [Tag in keyof OuiElements]: Omit<HTMLAttributes<OuiElements[Tag]>, keyof OuiElementProps[Tag]>
    & ClassAttributes<OuiElements[Tag]> & { class?: string | undefined } & OuiElementProps[Tag] & OuiListeners<Tag>;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends OuiReactElements {}
  }
}
`,
  'vue.d.ts': `/** \`import 'oui-elements/types/vue'\`: Vue's templates and JSX know the elements. */
import type { HTMLAttributes, PublicProps, VNodeRef } from 'vue';
import type { OuiElementEvents, OuiElements, OuiTemplateProps } from './index.js';

type Pascal<Text extends string> = Text extends \`\${infer First}-\${infer Rest}\`
  ? \`\${Capitalize<First>}\${Pascal<Rest>}\` : Capitalize<Text>;

type Listeners<Tag extends keyof OuiElements> = {
  [Name in keyof OuiElementEvents[Tag] & string as \`on\${Pascal<Name>}\`]?:
    ((event: NonNullable<OuiElementEvents[Tag][Name]>) => void) | undefined;
};

export type OuiVueProps<Tag extends keyof OuiElements> =
  Omit<HTMLAttributes, keyof OuiTemplateProps<Tag>> & OuiTemplateProps<Tag> & Listeners<Tag>;

export type OuiVueComponents = {
  [Tag in keyof OuiElements]: new () => OuiElements[Tag] & { $props: OuiVueProps<Tag> & PublicProps };
};

export type OuiVueElements = {
  [Tag in keyof OuiElements]: OuiVueProps<Tag> & { key?: PropertyKey; ref?: VNodeRef; children?: unknown };
};

declare module 'vue' {
  interface GlobalComponents extends OuiVueComponents {}
}

declare module 'vue/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements extends OuiVueElements {}
  }
}
`,
  'svelte.d.ts': `/** \`import 'oui-elements/types/svelte'\`: Svelte's templates know the elements. */
import type { HTMLAttributes } from 'svelte/elements';
import type { OuiElements, OuiListeners, OuiTemplateProps } from './index.js';

export type OuiSvelteElements = {
  [Tag in keyof OuiElements]:
    Omit<HTMLAttributes<OuiElements[Tag]>, keyof OuiTemplateProps<Tag>> & OuiTemplateProps<Tag> & OuiListeners<Tag>;
};

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends OuiSvelteElements {}
}
`,
};
