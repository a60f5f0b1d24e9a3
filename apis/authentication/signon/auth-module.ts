const PREFIX = 'oauth_';

/** The text in a session that names the provider by which its user signed in. */
export const authModuleOf = (provider: string): string => `${PREFIX}${provider}`;

/** The name of the provider; undefined if the user signed in otherwise. */
export function providerOfModule(module = ''): string | undefined {
  return module.startsWith(PREFIX) ? module.slice(PREFIX.length) : undefined;
}
