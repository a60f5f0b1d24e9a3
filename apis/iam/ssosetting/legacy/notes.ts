import type { ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const PROVIDER_NOTES: ParameterNotes = { provider: 'The name of the provider, such as `github`.' };

export const LDAP_NOTES: ParameterNotes = { username: 'The login.', id: 'The number of the user.' };
