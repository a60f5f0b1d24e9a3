const PREFIX = 'oauth_';

/** The name under which a session tells by which provider its user signed in. */
export const authModuleOf = (provider: string): string => `${PREFIX}${provider}`;

/** The name of the provider; undefined if the user signed in otherwise. */
export function providerOfModule(module = ''): string | undefined {
  return module.startsWith(PREFIX) ? module.slice(PREFIX.length) : undefined;
}
