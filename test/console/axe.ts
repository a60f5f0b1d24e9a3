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

/** The violations that axe-core finds in a page, with their elements. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const script = await readFile(resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(
    `(() => { if (globalThis.axe === undefined) { const module = undefined, define = undefined; ${script} } })()`,
  );
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(TAGS)} } }).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`)
        .join(' | ')
        .slice(0, 600)}`,
  );
}
