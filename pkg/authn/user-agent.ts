import bowser from 'bowser';

/** What a `User-Agent` header says of a browser; empty where it says nothing. */
export interface UserAgent {
  readonly device: string;
  readonly os: string;
  readonly osVersion: string;
  readonly browser: string;
  readonly browserVersion: string;
}

const UNKNOWN: UserAgent = { device: '', os: '', osVersion: '', browser: '', browserVersion: '' };
/** Longer ones are not from browsers, and cost time. */
const LONGEST = 512;
const LONGEST_FIELD = 60;

const cut = (text: string | undefined): string => (text ?? '').slice(0, LONGEST_FIELD);

export function parseUserAgent(header: string | undefined): UserAgent {
  if (header === undefined || header.trim() === '') return UNKNOWN;
  const { browser, os, platform } = bowser.parse(header.slice(0, LONGEST));
  return {
    device: cut(platform.model ?? (platform.type === 'desktop' ? 'Other' : platform.type)),
    os: cut(os.name),
    osVersion: cut(os.versionName !== undefined && os.version === undefined ? os.versionName : os.version),
    browser: cut(browser.name),
    browserVersion: cut(browser.version),
  };
}
