# Each file dashboards/<folder>/<name>.json is a dashboard as the user interface exports it.
resource "kubectl_manifest" "dashboard" {
  for_each = fileset("${path.module}/dashboards", "*/*.json")
  yaml_body = yamlencode({
    apiVersion = "dashboard.svc.app/v1beta1"
    kind       = "Dashboard"
    metadata = {
      name        = trimsuffix(basename(each.key), ".json")
      namespace   = var.namespace
      annotations = { "svc.app/folder" = dirname(each.key) }
    }
    spec = jsondecode(file("${path.module}/dashboards/${each.key}"))
  })
  depends_on = [kubectl_manifest.folder]
}
