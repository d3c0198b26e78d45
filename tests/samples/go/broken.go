package broken

import "fmt"

// First is fine.
func First() int { return 1 }

func torn(a int, b {
	if a > {
		fmt.Println("x"
	}

type Half struct {
	A int
	B

// After is fine again.
func After() string {
	return fmt.Sprint(1) )
}
