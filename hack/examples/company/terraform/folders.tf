variable "folders" {
  description = "Folders by name. A private one is hidden from Viewers and Editors."
  type = map(object({
    title   = string
    parent  = optional(string)
    private = optional(bool, false)
  }))
  default = {
    shop          = { title = "Shop" }
    shop-checkout = { title = "Checkout", parent = "shop" }
    operations    = { title = "Operations" }
    finance       = { title = "Finance", private = true }
  }
}

# Terraform makes all folders at once. One whose parent does not exist yet waits for it.
resource "kubectl_manifest" "folder" {
  for_each = var.folders
  yaml_body = yamlencode({
    apiVersion = "folder.svc.app/v1beta1"
    kind       = "Folder"
    metadata = {
      name      = each.key
      namespace = var.namespace
      annotations = merge(
        each.value.parent == null ? {} : { "svc.app/folder" = each.value.parent },
        each.value.private ? { "svc.app/basic-roles" = "none" } : {},
      )
    }
    spec = { title = each.value.title }
  })
}
