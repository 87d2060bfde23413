"""Terraform, and other configuration in HCL."""
