import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Session } from './session.js';

const run = promisify(execFile);

/**
 * A module with objects of Kubernetes and of our own kinds. The first of our own is in a folder that is created later.
 * They are not changed, because the provider fails when a write changes an annotation that is not in the manifest
 * (docs/clients.md).
 */
const MODULE = `
terraform {
  required_providers { kubernetes = { source = "hashicorp/kubernetes" } }
}
variable "title" {}
resource "kubernetes_namespace_v1" "space" {
  metadata { name = "tf-space" }
}
resource "kubernetes_secret_v1" "one" {
  metadata {
    name = "tf-secret"
    namespace = kubernetes_namespace_v1.space.metadata[0].name
  }
  data = { password = var.title }
}
resource "kubernetes_config_map_v1" "one" {
  metadata {
    name = "tf-config"
    namespace = kubernetes_namespace_v1.space.metadata[0].name
  }
  data = { title = var.title }
}
resource "kubernetes_manifest" "a_dashboard" {
  manifest = {
    apiVersion = "dashboard.svc.app/v1beta1"
    kind = "Dashboard"
    metadata = { name = "tf-dash", namespace = "default", annotations = { "svc.app/folder" = "tf-folder" } }
    spec = { title = "Dashboard", panels = [{ type = "graph", id = 1 }, { type = "text", id = 2 }] }
  }
}
resource "kubernetes_manifest" "b_folder" {
  manifest = {
    apiVersion = "folder.svc.app/v1beta1"
    kind = "Folder"
    metadata = { name = "tf-folder", namespace = "default" }
    spec = { title = "Folder" }
  }
}
`;

/**
 * OpenTofu: the program in `TOFU`, or the one on PATH. `TF_CLI_CONFIG_FILE` says where the provider is. Fails if a plan
 * after an apply finds a difference.
 */
export function terraformOf(version: string): Session {
  return async ({ kubeconfig, folder }) => {
    const program = process.env['TOFU'] ?? 'tofu';
    const env = { ...process.env, KUBE_CONFIG_PATH: kubeconfig };
    const tofu = (title: string, ...args: readonly string[]) =>
      run(program, [...args, '-no-color', '-parallelism=1', `-var=title=${title}`], { cwd: folder, env });
    await writeFile(join(folder, 'main.tf'), MODULE);
    for (const title of ['one', 'two']) {
      await tofu(title, 'apply', '-auto-approve');
      await tofu(title, 'plan', '-detailed-exitcode');
    }
    await tofu('two', 'destroy', '-auto-approve');
    return `hashicorp/kubernetes ${version} in OpenTofu`;
  };
}
