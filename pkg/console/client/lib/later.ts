import { type Loading, useLoad } from './load.js';
import { hasUnsaved } from './unsaved.js';
import { checkVersion } from './version.js';

/** The page loads itself at most once in so many milliseconds, because servers of two versions may answer in turns. */
const AT_MOST_EVERY = 60_000;
const KEY = 'console.reloaded';

/** A part of the console could not be loaded. Browsers remember that, so only a reload of the page helps. */
class MissingPart extends Error {}

/**
 * Loads a part of the console. The part is gone if the server has another version. Then the page reloads itself, or, if
 * something that was typed would be lost, this rejects with a message that says what to do.
 */
export async function later<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    await checkVersion();
    if (hasUnsaved() || !takeReload())
      throw new MissingPart('A part of the console could not be loaded. Save what you typed, and reload the page.', {
        cause,
      });
    location.reload();
    return new Promise(() => undefined);
  }
}

/** A part of the console that a component needs. If it was missing, `reload` reloads the page. */
export function useLater<Part>(load: () => Promise<Part>): Pick<Loading<Part>, 'state' | 'reload'> {
  const { state, reload } = useLoad(() => later(load), []);
  const retry = (): void => {
    if (state.peek().error instanceof MissingPart) location.reload();
    else reload();
  };
  return { state, reload: retry };
}

/** Whether the page may reload itself now. If so, notes the time. */
function takeReload(): boolean {
  const before = Number(sessionStorage.getItem(KEY) ?? 0);
  if (Date.now() - before < AT_MOST_EVERY) return false;
  sessionStorage.setItem(KEY, String(Date.now()));
  return true;
}
