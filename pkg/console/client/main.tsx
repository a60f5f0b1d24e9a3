import { effect } from '@preact/signals';
import { render } from 'preact';
import { Router } from 'wouter-preact';
import { noteGuessable } from './app/guessable.js';
import { Shell } from './app/shell.js';
import { ApiError } from './lib/api.js';
import { keepReaching } from './lib/connection.js';
import { loadResources, ownResource, pathOf, type Resource } from './lib/discovery.js';
import { loadFormats } from './lib/formats.js';
import { enter, isChosen, keepFollowing, namespace, rootOf } from './lib/namespace.js';
import { keepChoosing } from './lib/own-organization.js';
import { organizations as known, loadMe, loadOrganizations, organizationId, signInAddress } from './lib/session.js';
import { keepChecking } from './lib/version.js';
import { keepFocus } from './ui/focus.js';
import { keepOrder } from './ui/safe-text.js';
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
    if (error instanceof ApiError && error.code === 401) return location.replace(signInAddress());
    root.replaceChildren();
    render(<Failure error={error} onRetry={() => void start()} />, root);
    return;
  }
  const organizations = ownResource('iam', 'organizations');
  void startIn(organizations);
  root.replaceChildren();
  render(<Console />, root);
}

/** The pages of the organization that is shown. */
function Console() {
  return (
    <Router base={rootOf(namespace.value)}>
      <Shell />
    </Router>
  );
}

/** Who has chosen no organization yet begins in one of theirs. */
async function startIn(organizations: Resource | undefined): Promise<void> {
  await loadOrganizations(organizations, organizations === undefined ? '' : pathOf(organizations));
  const [first] = known.value;
  const isOwn = known.value.some(({ name }) => name === namespace.value);
  effect(() => void loadFormats(organizationId.value).catch(() => undefined));
  if (!isChosen && first !== undefined && !isOwn) enter(first.name, '/', { replace: true });
  keepChoosing();
}

keepOrder();
noteGuessable();
keepFollowing();
keepReaching();
keepFocus();
keepChecking();
void start();
