import { Client } from '../../registry/client/client.js';
import type { LastSeenSpec } from '../internal/lastseen/schema.js';
import type { TokenSpec } from '../internal/token/schema.js';
import { SYSTEM_USER } from './bootstrap.js';
import { type IdentityServices, isoTime } from './services.js';
import { isRecent, TimeRecorder } from './time-recorder.js';

type OnError = (error: unknown, what: string) => void;

/** Records when users last called, by uid. */
export function lastSeenRecorder(services: IdentityServices, onError: OnError): TimeRecorder {
  const { reader, registry, resource, now } = services;
  const kind = services.kind('internal/lastseens');
  const lastSeens = resource('internal/lastseens');
  const client = new Client(registry, { user: SYSTEM_USER });
  return new TimeRecorder({
    now,
    read: (uid) => reader.get<LastSeenSpec>(lastSeens, '', uid)?.spec?.at,
    write: (uid) => {
      const at = isoTime(now());
      const specOf = (old: LastSeenSpec | undefined) => (old !== undefined && isRecent(old.at, now()) ? old : { at });
      return client.transact((transaction) => transaction.objects<LastSeenSpec>(kind).put(uid, specOf));
    },
    onError: (error) => onError(error, 'when a user was last seen could not be kept'),
  });
}

/** The key of a token in `lastUsedRecorder`. */
export const tokenKey = (namespace: string, name: string): string => `${namespace}/${name}`;

/**
 * Records when tokens of service accounts were last used, in the tokens themselves. The keys are those of `tokenKey`.
 */
export function lastUsedRecorder(services: IdentityServices, onError: OnError): TimeRecorder {
  const { reader, resource, now } = services;
  const tokens = resource('internal/tokens');
  const partsOf = (key: string): readonly [string, string] => {
    const slash = key.indexOf('/');
    return [key.slice(0, slash), key.slice(slash + 1)];
  };
  return new TimeRecorder({
    now,
    read: (key) => reader.get<TokenSpec>(tokens, ...partsOf(key))?.spec?.lastUsedAt,
    write: (key) => {
      const [namespace, name] = partsOf(key);
      const lastUsedAt = isoTime(now());
      return services.objects<TokenSpec>('internal/tokens', namespace).update(name, (old) => {
        const { spec } = old;
        return spec === undefined || isRecent(spec.lastUsedAt, now()) ? old : { ...old, spec: { ...spec, lastUsedAt } };
      });
    },
    onError: (error) => onError(error, 'when a token was last used could not be kept'),
  });
}
