import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { prefix } from '../../../lib/api.js';
import { ownResource } from '../../../lib/discovery.js';
import { isAnonymous } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { Icon, type IconName } from '../../../ui/icon.js';
import { Empty } from '../../../ui/states.js';
import { useDesk } from '../model/desk.js';
import { resourceFor } from '../model/kinds.js';

/** Without TLS, kubectl sends no token. Then the file that the server has written helps, on its machine. */
function commandFor(namespace: string): string {
  const server =
    location.protocol === 'https:'
      ? `--server=${location.origin}${prefix} --token=TOKEN`
      : '--kubeconfig=data/kubeconfig';
  return `kubectl ${server} --namespace=${namespace} get folders`;
}

/** The first steps on an empty server, as far as the caller may do them. */
export function Start() {
  const { namespace, task } = useDesk();
  const folder = useMay('create', resourceFor('folders'), { namespace });
  const dashboard = useMay('create', resourceFor('dashboards'), { namespace });
  const signOn = useMay('list', ownResource('iam', 'ssosettings'));
  const account = useMay('create', ownResource('iam', 'serviceaccounts'), { namespace });
  if (folder.allowed === false && dashboard.allowed === false)
    return (
      <Empty title="There is nothing here that you may view">
        <p>
          {isAnonymous.value ? 'Sign in to see more.' : 'An editor or an administrator can share a folder with you.'}
        </p>
      </Empty>
    );
  return (
    <ol class="start-steps">
      {folder.allowed === true && (
        <Step
          icon="folders"
          title="Make a folder"
          text="Folders hold dashboards and alert rules, and say who may see them."
        >
          <Button look="primary" onPress={() => (task.value = { kind: 'create', parent: '' })}>
            New folder
          </Button>
          {dashboard.allowed === true && (
            <Button onPress={() => (task.value = { kind: 'import', parent: '' })}>Import dashboards</Button>
          )}
        </Step>
      )}
      {signOn.allowed === true && (
        <Step
          icon="people"
          title="Let people in"
          text="Connect the provider with which they sign in elsewhere, or add accounts."
        >
          <Link class="button" href={places.people('sign-on')}>
            Connect sign-on
          </Link>
          <Link class="button" href={places.people('users')}>
            Add people
          </Link>
        </Step>
      )}
      {account.allowed === true && (
        <Step
          icon="plan"
          title="Use kubectl"
          text="Each object here is one of a Kubernetes API, so manifests can be applied to it."
        >
          <code class="start-command">{commandFor(namespace)}</code>
          <Link class="button" href={places.people('accounts')}>
            Make a token
          </Link>
          <a class="button quiet" href={`${prefix}/docs`}>
            The APIs
          </a>
        </Step>
      )}
    </ol>
  );
}

interface StepProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

function Step({ icon, title, text, children }: StepProps) {
  return (
    <li class="start-step">
      <span class="start-icon">
        <Icon name={icon} />
      </span>
      <div class="stack tight">
        <h2>{title}</h2>
        <p class="muted">{text}</p>
        <div class="row">{children}</div>
      </div>
    </li>
  );
}
