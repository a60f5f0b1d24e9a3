import type { Page } from 'playwright-core';

/**
 * What is wrong with the way of Tab through the page that is shown. Without positive values of `tabindex`, it is the
 * order of the document, so each element is compared with the one before it: it must not lie wholly above it, unless it
 * is beside it, and on the same line not to its left.
 */
export async function tabOrderProblems(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(SCRIPT)) as readonly string[];
}

/** The script is a text, because the tests do not have the types of browsers. */
const SCRIPT = `(() => {
  const CAN = 'a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, [tabindex], [contenteditable=true]';
  const REGIONS = ['.skip', '.head', '.nav', '.banners', 'main', '.toasts'];
  const name = (one) => (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim().slice(0, 60) || one.outerHTML.slice(0, 100);
  const regionOf = (one) => REGIONS.findIndex((region) => one.closest(region) !== null);
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const all = [...document.querySelectorAll(CAN)].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
  const problems = [];
  for (const one of all) {
    const { width, height } = one.getBoundingClientRect();
    // The label of a hidden file field shows its focus.
    const isShown = one.type === 'file' ? one.closest('label') !== null : seen(one) && width > 0 && height > 0;
    if (!isShown) problems.push('is invisible: ' + name(one));
    if (one.tabIndex > 0) problems.push('has a tabindex above 0: ' + name(one));
    if (regionOf(one) < 0) problems.push('is in no region: ' + name(one));
  }
  if (!all[0]?.matches('.skip')) problems.push('is first, before the link that skips: ' + name(all[0]));
  for (const [index, one] of all.entries()) {
    const before = all[index - 1];
    if (before === undefined || before.matches('.skip') || before.contains(one)) continue;
    if (regionOf(one) < regionOf(before)) problems.push('comes after ' + name(before) + ': ' + name(one));
    if (regionOf(one) !== regionOf(before) || one.type === 'file' || before.type === 'file') continue;
    const [a, b] = [before.getBoundingClientRect(), one.getBoundingClientRect()];
    const isAbove = b.bottom <= a.top && b.left < a.right;
    const isLeft = b.right <= a.left && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 2;
    if (isAbove || isLeft) problems.push((isAbove ? 'lies above ' : 'lies left of ') + name(before) + ', which is before it: ' + name(one));
  }
  return problems;
})()`;
