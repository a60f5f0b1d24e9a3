terraform {
  required_version = ">= 1.5"
  required_providers {
    # It compares only what a manifest has. hashicorp/kubernetes also compares the annotations that the server sets.
    kubectl = {
      source  = "gavinbunney/kubectl"
      version = ">= 1.19.0"
    }
  }
}

variable "kubeconfig" {
  description = "The kubeconfig of the server, such as data/kubeconfig."
  type        = string
}

variable "namespace" {
  description = "The organization of the objects."
  type        = string
  default     = "default"
}

provider "kubectl" {
  config_path = var.kubeconfig
}
