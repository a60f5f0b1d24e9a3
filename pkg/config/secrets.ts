const SECRET = /secret|password|private|certificate|client_key|_uri$/;
/** Settings about passwords that are not secret themselves. */
const NO_SECRET = /^(?:min|refuse|allow)_/;
/** There may be a password before the last @, even one that is not escaped. */
const WITH_USER = /^[a-z][\w+.-]*:\/\/.*@/is;
const WITH_KEY = /[?&][^=&]*(?:key|token|secret|password|signature)[^=&]*=./i;

/**
 * Whether a value must not be shown. `name` is the last part of the name of a setting; a connection string may contain
 * a password.
 */
export const isSecret = (name: string, value: string): boolean =>
  value !== '' && ((SECRET.test(name) && !NO_SECRET.test(name)) || hasCredentials(value));

/**
 * The same for an argument, which other users of the machine may see. A connection string is hidden only if it has
 * credentials.
 */
export const isExposed = (name: string, value: string): boolean =>
  name.endsWith('_uri') ? hasCredentials(value) : isSecret(name, value);

/** Whether it is a URL with a password or a key. */
export const hasCredentials = (value: string): boolean =>
  WITH_USER.test(value) || (/^\w+:\/\//.test(value) && WITH_KEY.test(value));
