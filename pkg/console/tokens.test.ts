import { expect } from 'chai';
import { designTokens } from './tokens.js';

/** WCAG 2.2: the contrast of two colours, `#rrggbb`. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const found = [...designTokens().matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)];
const THEMES = [2, 3].map((at) => new Map(found.map((match) => [match[1] ?? '', match[at] ?? ''])));
const SURFACES = ['bg', 'surface', 'surface-2'];

/** Text on its background, with the least contrast. */
const PAIRS: readonly [text: string, backgrounds: readonly string[], least: number][] = [
  ['text', [...SURFACES, 'accent-soft', 'danger-soft', 'warn-soft', 'ok-soft'], 7],
  ['text-muted', SURFACES, 4.5],
  ['accent', [...SURFACES, 'accent-soft'], 4.5],
  ['accent-text', ['accent', 'danger'], 4.5],
  ['danger', [...SURFACES, 'danger-soft'], 4.5],
  ['warn', [...SURFACES, 'warn-soft'], 4.5],
  ['ok', [...SURFACES, 'ok-soft'], 4.5],
  ['border-strong', SURFACES, 3],
  ['focus', SURFACES, 3],
];

describe('the colours of the pages', () => {
  for (const [index, theme] of ['light', 'dark'].entries())
    it(`have enough contrast in the ${theme} theme`, () => {
      const colour = (name: string): string => THEMES[index]?.get(name) ?? '';
      const weak = PAIRS.flatMap(([text, backgrounds, least]) =>
        backgrounds
          .map((background) => ({ text, background, ratio: contrast(colour(text), colour(background)) }))
          .filter(({ ratio }) => !(ratio >= least)),
      );
      expect(weak).to.deep.equal([]);
    });
});
