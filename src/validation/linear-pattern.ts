import { RE2JS } from 're2js';

/** White space as JavaScript has it, and the rest, as ranges: RE2's `\s` is that of ASCII, less the vertical tab. */
const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
/** All but line ends: RE2 knows the line feed alone. */
const DOT = '[^\\n\\r\\x{2028}\\x{2029}]';

/** General categories by their long names, which RE2 does not know. */
const CATEGORIES: { readonly [name: string]: string } = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Control: 'Cc',
  Format: 'Cf',
};

/** `\p{Letter}`, `\p{gc=Letter}`, `\p{Script=Greek}` as RE2 writes them: `\p{L}`, `\p{Greek}`. */
function translateProperties(pattern: string): string {
  return pattern.replace(/\\(.)(?:\{([^}]*)\})?/gsu, (escape, letter: string, property: string | undefined) => {
    // To RE2's translation an escaped letter that it does not know is that letter.
    if (letter === 'k') throw new Error('a back-reference by name');
    if ((letter !== 'p' && letter !== 'P') || property === undefined) return escape;
    const name = property.replace(/^(?:General_Category|gc|Script|sc)=/, '');
    return `\\${letter}{${CATEGORIES[name] ?? name}}`;
  });
}

/** RE2's classes where they differ from JavaScript's. Takes what is RE2 syntax already. */
function translateClasses(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\.|[[\].]/gsu, (token) => {
    switch (token) {
      case '\\s':
        return inClass ? SPACE : `[${SPACE}]`;
      case '\\S':
        return inClass ? NO_SPACE : `[${NO_SPACE}]`;
      case '.':
        return inClass ? token : DOT;
      case '[':
        inClass = true;
        return token;
      case ']':
        inClass = false;
        return token;
      default:
        return token;
    }
  });
}

/**
 * Compiles a JSON Schema pattern (ECMA-262 with Unicode, not anchored) for RE2, which takes time in proportion to the
 * text. Returns the reason where RE2 has no such pattern: look-around and back-references cannot be done in that time.
 */
export function compileLinear(pattern: string): ((text: string) => boolean) | { readonly reason: string } {
  try {
    const regex = RE2JS.compile(translateClasses(RE2JS.translateRegExp(translateProperties(pattern))));
    return (text) => regex.test(text);
  } catch (error) {
    return { reason: (error as Error).message };
  }
}
