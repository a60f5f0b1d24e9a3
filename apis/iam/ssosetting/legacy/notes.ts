import type { ParameterNotes } from '../../../../registry/legacy/parameter-notes.js';

export const PROVIDER_NOTES: ParameterNotes = { provider: 'The name of the provider, such as `github`.' };
