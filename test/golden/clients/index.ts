import { clientGo } from './client-go.js';
import { clientNode } from './client-node.js';
import { helmOf } from './helm.js';
import { kubectlOf } from './kubectl.js';
import { pythonOf } from './python.js';
import type { Session } from './session.js';
import { terraformOf } from './terraform.js';

/** The clients that can be recorded, by the names of their transcripts. */
export const clients: Readonly<Record<string, Session>> = {
  'client-go-0.37': clientGo,
  'client-node-1.4': clientNode,
  'helm-3.22': helmOf('3.22.0'),
  'kubectl-1.30': kubectlOf('v0.30.14'),
  'kubectl-1.32': kubectlOf('v0.32.4'),
  'kubectl-1.37': kubectlOf('v0.37.2'),
  'python-31': pythonOf('31.0.0'),
  'python-37': pythonOf('37.0.2'),
  'terraform-3.2': terraformOf('3.2.1'),
};
