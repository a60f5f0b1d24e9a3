/**
 * A part that is loaded later is ready when its styles are there. Their name is in the page and not in the script,
 * because the name of the script does not change with the styles. The server adds this to the scripts, and
 * `hack/build.sh` a checksum of this file, so that their names change with it.
 */
export const WAIT_FOR_STYLE = Buffer.from(`
await (() => {
  const names = JSON.parse(document.querySelector('meta[name=styles]').content);
  const href = new URL(names[import.meta.url.split('/').pop()], import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  return new Promise((onload, onerror) =>
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })),
  );
})();
`);
