import bowser from 'bowser';

/** The description of a browser in a `User-Agent` header. Unknown parts are empty. */
export interface UserAgent {
  readonly device: string;
  readonly os: string;
  readonly osVersion: string;
  readonly browser: string;
  readonly browserVersion: string;
}

const UNKNOWN: UserAgent = { device: '', os: '', osVersion: '', browser: '', browserVersion: '' };
/** Browsers send shorter headers, and longer ones take time to parse. */
const MAX_HEADER = 512;
const MAX_FIELD = 60;

const cut = (text: string | undefined): string => (text ?? '').slice(0, MAX_FIELD);

export function parseUserAgent(header: string | undefined): UserAgent {
  if (header === undefined || header.trim() === '') return UNKNOWN;
  const { browser, os, platform } = bowser.parse(header.slice(0, MAX_HEADER));
  return {
    device: cut(platform.model ?? (platform.type === 'desktop' ? 'Other' : platform.type)),
    os: cut(os.name),
    osVersion: cut(os.versionName !== undefined && os.version === undefined ? os.versionName : os.version),
    browser: cut(browser.name),
    browserVersion: cut(browser.version),
  };
}
