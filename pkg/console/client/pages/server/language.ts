/**
 * uPlot takes the language of the browser when it is loaded, and fails if that is none. Chromium says `en-US@posix`
 * where the system has no language.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}
