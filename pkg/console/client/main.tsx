import { render } from 'preact';
import { Router } from 'wouter-preact';
import { Shell } from './app/shell.js';
import { ApiError, prefix } from './lib/api.js';
import { keepReaching } from './lib/connection.js';
import { loadResources, ownResource, pathOf } from './lib/discovery.js';
import { loadMe, loadOrganizations } from './lib/session.js';
import { keepChecking } from './lib/version.js';
import { Failure } from './ui/states.js';
import './app/theme.js';
import './style/main.css';

const root = document.getElementById('app') as HTMLElement;

/**
 * Loads the caller and the kinds first, because all pages need them. Callers without credentials go to the sign-in
 * page, which leads back here.
 */
async function start(): Promise<void> {
  try {
    await Promise.all([loadMe(), loadResources()]);
  } catch (error) {
    if (error instanceof ApiError && error.code === 401) return signIn();
    root.replaceChildren();
    render(<Failure error={error} onRetry={() => void start()} />, root);
    return;
  }
  const organizations = ownResource('iam', 'organizations');
  void loadOrganizations(organizations, organizations === undefined ? '' : pathOf(organizations));
  root.replaceChildren();
  render(
    <Router base={`${prefix}/console`}>
      <Shell />
    </Router>,
    root,
  );
}

function signIn(): void {
  const here = location.pathname + location.search;
  location.replace(`${prefix}/login?redirectTo=${encodeURIComponent(here)}`);
}

keepReaching();
keepChecking();
void start();
