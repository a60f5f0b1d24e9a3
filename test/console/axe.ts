import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const { resolve } = createRequire(import.meta.url);

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The rules of WCAG 2.2, levels A and AA. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The rules whose answer depends on the colours of a page. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

const WHOLE = { type: 'tag', values: TAGS };
const ONLY_COLOURS = { type: 'rule', values: COLOURS };

/**
 * The violations that axe-core finds in a page, with their elements. With `onlyColours`, those of the rules about
 * colours.
 */
export async function violationsOf(page: Page, { onlyColours = false } = {}): Promise<readonly string[]> {
  await inject(page);
  // Without `resultTypes`, axe describes every element that passes, too, which takes as long as the rules themselves.
  const options = { runOnly: onlyColours ? ONLY_COLOURS : WHOLE, resultTypes: ['violations'] };
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)
        .join(' | ')
        .slice(0, 600)}`,
  );
}

/** Adds axe-core to the page once, because browsers take long to read it. */
async function inject(page: Page): Promise<void> {
  if (await page.evaluate('globalThis.axe !== undefined')) return;
  const script = await readFile(resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(`(() => { const module = undefined, define = undefined; ${script} })()`);
}
