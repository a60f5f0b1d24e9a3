import type { Provider } from './settings.js';

/** Whether people can sign in by a provider. */
export function State({ settings, problems = [] }: Pick<Provider, 'settings' | 'problems'>) {
  if (settings['enabled'] !== true) return <span class="chip">Disabled</span>;
  return problems.length > 0 ? (
    <span class="chip warn">Enabled, but nobody can sign in</span>
  ) : (
    <span class="chip ok">Enabled</span>
  );
}
